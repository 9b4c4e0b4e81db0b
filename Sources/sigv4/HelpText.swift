// SPDX-License-Identifier: Apache-2.0
// What --help and --version say.

internal import S3Signing

/// The texts of `--help` and `--version`.
enum HelpText {
  static var version: String { "0.1.0" }

  static var text: String {
    """
    sigv4 \(version): signs requests with AWS Signature Version 4.

    Usage
      sigv4 sign [options] URL        headers that sign a request
      sigv4 presign [options] URL     a URL that carries its signature
      sigv4 explain [options] URL     why a server refused it: the answer on standard input
      sigv4 verify [options] [URL]    who signed a request, and whether it is valid
      sigv4 upload [options] FILE URL a file in signed chunks, with the headers to send
      sigv4 post-policy [options] s3://bucket[/key]
                                      the form with which a browser uploads
      sigv4 token KIND [options]      a token for rds, dsql, elasticache, memorydb, eks or msk
      sigv4 credentials [--profile NAME] [--json]
                                      which credentials sign, from where, and until when
      sigv4 hash [FILE...]            SHA-256, printed as sha256sum does
      sigv4 hmac --key-... [FILE...]  HMAC-SHA-256
      sigv4 demo                      AWS's documented example, step by step
      sigv4 --help | --version

    URL is https://host/path?query, already encoded, or s3://bucket/key, which is not.

    Options of sign and presign
      -X, --request METHOD     the method; default GET, or POST with --data
      -H, --header 'NAME: VALUE'
                               a header to sign and send; may be repeated
      -d, --data TEXT          the body, unchanged; @FILE reads a file, @- standard input;
                               repeated, the parts are joined by '&'
          --unsigned-payload   do not sign the body
          --profile NAME       the profile whose credentials and region are taken
          --region REGION      default: from the host, AWS_REGION, AWS_DEFAULT_REGION, the profile
          --service NAME       the signing name; default: from the host
          --endpoint URL       the server of s3://bucket/key, unless that is AWS;
                               default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile
          --at TIME            sign for 20130524T000000Z or a Unix time; default: now
          --expires TIME       presign only: 900, 15m, 12h or 7d; default 1h
          --curl               print a curl command
          --json               print one JSON object: method, url, headers, canonicalRequest,
                               stringToSign, credentialScope, signedHeaders, signature
      sign prints the headers to send, one a line: pipe them to 'curl -H @- URL'.

    Options of explain: those with which the request was signed or presigned, and
          --answer FILE        the body of the server's answer; default: standard input
          --presigned          the request came by a presigned URL; --expires says so too
    Options of verify, which reads a request of HTTP/1.1 from standard input, or takes a URL:
      --profile, --at, --json, -X and -H with a URL, --region and --service to accept only these,
      and
          --clock-window SECONDS
                               how far clocks may differ; default 900 for S3, else 300

    Options of upload: -H, --profile, --region, --service, --endpoint, --at, --curl, and
      -o, --output FILE        where the body goes; default: standard output
          --headers FILE       where the headers or, with --curl, the command go; default:
                               standard output, as soon as the body is complete
          --checksum NAME      follow the body with crc32, crc32c, crc64nvme, sha1 or sha256
          --unsigned-payload   sign the request alone, not the chunks; needs --checksum
          --chunk-size BYTES   8192 to 1048576; default 65536
          --size BYTES         the size of the file, when it is a pipe or - for standard input

    Options of post-policy: --profile, --region, --endpoint, --at, --json, and
          --field 'NAME=VALUE'     a field of the form with exactly this value; may be repeated
          --starts-with 'NAME=PREFIX'
                                   a field that the page fills in; may be repeated
          --min-bytes N, --max-bytes N
                                   the size of the file
          --expires TIME           how long the form is valid: 900, 15m, 12h or 7d; default 15m
          --html                   print hidden inputs of HTML

    Options of token: --profile, --region, --at, --json, and
          --hostname HOST      rds and dsql: the endpoint of the database
          --port PORT          rds
          --username USER      rds, elasticache, memorydb
          --admin              dsql: for the role admin
          --expires TIME       dsql: 900, 15m, 12h or 7d; default 15m
          --cache-name NAME    elasticache; --serverless says which kind of cache it is
          --cluster-name NAME  eks and memorydb
          --user-agent NAME    msk

    Key of hmac, one of
          --key-file FILE      the bytes of a file, unchanged
          --key-variable NAME  the text of an environment variable
          --key-encoding raw|hex|base64
                               how the key is written; default raw

    Environment
      AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_CREDENTIAL_EXPIRATION
      AWS_PROFILE, AWS_DEFAULT_PROFILE, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE
      AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL,
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS, AWS_USE_FIPS_ENDPOINT, AWS_USE_DUALSTACK_ENDPOINT

    Exit codes
      0 done   1 failed: not signable, not readable, not valid   2 wrong usage   3 no usable credentials

    """
  }
}
