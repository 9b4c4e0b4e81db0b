// SPDX-License-Identifier: Apache-2.0
// The default content type of an upload.

internal import Foundation

/// Media types by file extension.
enum ContentType {
  /// Returns the media type for a file name. The default is `application/octet-stream` (RFC 2046,
  /// 4.5.1: arbitrary bytes).
  static func ofFile(named name: String) -> String {
    types[URL(fileURLWithPath: name).pathExtension.lowercased()] ?? "application/octet-stream"
  }

  /// Extensions and types: IANA's media types, and common names for unregistered ones.
  private static let types = Dictionary(
    uniqueKeysWithValues: table.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return (String(words[0]), String(words[1]))
    })

  private static let table = """
    7z application/x-7z-compressed
    aac audio/aac
    apk application/vnd.android.package-archive
    avi video/x-msvideo
    avif image/avif
    bmp image/bmp
    css text/css
    csv text/csv
    doc application/msword
    docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
    eot application/vnd.ms-fontobject
    epub application/epub+zip
    flac audio/flac
    gif image/gif
    gz application/gzip
    heic image/heic
    heif image/heif
    htm text/html
    html text/html
    ico image/vnd.microsoft.icon
    ics text/calendar
    jpeg image/jpeg
    jpg image/jpeg
    js text/javascript
    json application/json
    m4a audio/mp4
    m4v video/mp4
    md text/markdown
    mjs text/javascript
    mkv video/x-matroska
    mov video/quicktime
    mp3 audio/mpeg
    mp4 video/mp4
    mpeg video/mpeg
    mpg video/mpeg
    odp application/vnd.oasis.opendocument.presentation
    ods application/vnd.oasis.opendocument.spreadsheet
    odt application/vnd.oasis.opendocument.text
    oga audio/ogg
    ogg audio/ogg
    ogv video/ogg
    opus audio/ogg
    otf font/otf
    pdf application/pdf
    png image/png
    ppt application/vnd.ms-powerpoint
    pptx application/vnd.openxmlformats-officedocument.presentationml.presentation
    rtf application/rtf
    svg image/svg+xml
    tar application/x-tar
    tif image/tiff
    tiff image/tiff
    tsv text/tab-separated-values
    ttf font/ttf
    txt text/plain
    usdz model/vnd.usdz+zip
    wasm application/wasm
    wav audio/x-wav
    webm video/webm
    webmanifest application/manifest+json
    webp image/webp
    woff font/woff
    woff2 font/woff2
    xls application/vnd.ms-excel
    xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    xml application/xml
    zip application/zip
    zst application/zstd
    """
}
