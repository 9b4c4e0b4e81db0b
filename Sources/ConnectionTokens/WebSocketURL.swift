// SPDX-License-Identifier: Apache-2.0
// URLs that open a WebSocket: AWS IoT (MQTT), Transcribe streams, Kinesis Video signaling.

public import RequestSigning

extension SigV4 {
  /// Presigned URLs that open a WebSocket.
  ///
  ///     let url = try SigV4.WebSocketURL.iot(
  ///       host: host, region: region, credentials: credentials, at: now).url
  ///
  /// An open connection stays open after its URL expires. Treat the URL as a secret.
  public enum WebSocketURL {
    /// Presigns a URL for MQTT with AWS IoT.
    ///
    /// The URL contains no lifetime, and a session token follows its signature.
    ///
    /// - Throws: `invalidHost`, `invalidRegion` or `credentialsExpired`.
    ///
    /// Source: AWS IoT Core, Developer Guide, "Device communication protocols".
    public static func iot(
      host: String, region: String, credentials: Credentials, at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      try Connection.checkHost(host)
      let signer = try Signer(
        credentials: credentials, region: region, service: .iotDeviceGateway)
      return try signer.presignedURL(
        for: Request("GET", scheme: .wss, host: host, path: .raw("/mqtt")), expiresIn: nil,
        at: timestamp)
    }

    /// Presigns a URL that opens an Amazon Transcribe stream, valid for 1 to 300 seconds.
    ///
    ///     let url = try SigV4.WebSocketURL.transcribe(
    ///       ["language-code": "en-US", "media-encoding": "pcm", "sample-rate": "16000"],
    ///       region: region, credentials: credentials, at: now)
    ///
    /// The URL's signature is the seed for signing the first event.
    ///
    /// - Parameters:
    ///   - parameters: the stream's parameters, such as `language-code`.
    ///   - kind: the kind of stream.
    ///   - host: the host of a FIPS or VPC endpoint, such as
    ///     `transcribestreaming-fips.us-east-1.amazonaws.com`. The default is the region's
    ///     endpoint.
    ///   - port: the port.
    ///   - region: the endpoint's region.
    ///   - credentials: the caller's credentials.
    ///   - lifetime: how long the URL is valid.
    ///   - timestamp: the current time.
    ///
    /// - Throws: `invalidHost`, `invalidLifetime`, `invalidRegion`, `credentialsExpired`, and
    ///   `alreadySigned` if `parameters` contains a signature parameter.
    ///
    /// Source: Amazon Transcribe, Developer Guide, "Setting up a streaming transcription".
    public static func transcribe(
      _ parameters: Query, as kind: TranscribeStream = .general, host: String? = nil,
      port: Int = 8_443, region: String, credentials: Credentials,
      expiresIn lifetime: Duration = .seconds(300), at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      let seconds = lifetime.wholeSeconds
      try Connection.checkLifetime(seconds, atMost: 300)
      try Connection.checkPort(port)
      let partition = try AWSPartition(region: region)
      let host = host ?? "transcribestreaming." + region + "." + partition.domain
      try Connection.checkHost(host)
      let request = try Request(
        "GET", scheme: .wss, host: host + ":" + String(port), path: .raw(kind.path),
        query: parameters)
      let connection = try Connection("transcribe", region: region, credentials, at: timestamp)
      return try connection.url(request, seconds: seconds)
    }

    /// Presigns a URL that opens a Kinesis Video Streams signaling channel, valid for 1 second to 7
    /// days.
    ///
    /// - Parameters:
    ///   - host: the host of the endpoint that GetSignalingChannelEndpoint returned.
    ///   - channelARN: the channel's ARN.
    ///   - clientID: the unique ID of a viewer: 1 to 256 letters, digits, '-', '_' and '.'. Pass
    ///     nil for the channel's only master.
    ///   - region: the channel's region.
    ///   - credentials: the caller's credentials.
    ///   - lifetime: how long the URL is valid.
    ///   - timestamp: the current time.
    ///
    /// - Throws: `invalidHost`, `invalidResourceName`, `invalidLifetime`, `invalidRegion` or
    ///   `credentialsExpired`.
    ///
    /// Source: Kinesis Video Streams WebRTC, Developer Guide, "ConnectAsMaster", "ConnectAsViewer".
    public static func kinesisVideo(
      host: String, channelARN: String, clientID: String?, region: String,
      credentials: Credentials, expiresIn lifetime: Duration = .seconds(299),
      at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      let seconds = lifetime.wholeSeconds
      try Connection.checkHost(host)
      try Connection.checkLifetime(seconds)
      try checkChannel(channelARN)
      var query: Query = ["X-Amz-ChannelARN": channelARN]
      if let clientID {
        try checkClientID(clientID)
        query = query.appending("X-Amz-ClientId", clientID)
      }
      let request = try Request("GET", scheme: .wss, host: host, query: query)
      let connection = try Connection("kinesisvideo", region: region, credentials, at: timestamp)
      return try connection.url(request, seconds: seconds)
    }
  }
}

extension SigV4.WebSocketURL {
  /// A kind of Transcribe stream.
  public struct TranscribeStream: Hashable, Sendable {
    fileprivate let path: String

    /// Amazon Transcribe.
    public static let general = Self(path: "/stream-transcription-websocket")
    /// Amazon Transcribe Medical.
    public static let medical = Self(path: "/medical-stream-transcription-websocket")
    /// Amazon Transcribe Call Analytics.
    public static let callAnalytics = Self(path: "/call-analytics-stream-transcription-websocket")
  }

  static func checkChannel(_ channelARN: String) throws(SigV4.SigningError) {
    let isVisible = channelARN.utf8.allSatisfy(ASCIIByte.isVisible)
    if !channelARN.hasPrefix("arn:") || channelARN.utf8.count > 1_024 || !isVisible {
      throw SigV4.SigningError(
        .invalidResourceName,
        "\(quoted: channelARN) isn't the ARN of a signaling channel.",
        fix: "Use the whole ARN, which begins with arn: and contains the channel's name.")
    }
  }

  static func checkClientID(_ clientID: String) throws(SigV4.SigningError) {
    let isReserved = clientID.lowercased().hasPrefix("aws_")
    if clientID.utf8.count > 256 || isReserved || !SigV4.CredentialScope.isName(clientID) {
      throw SigV4.SigningError(
        .invalidResourceName,
        "\(quoted: clientID) isn't a valid viewer ID.",
        fix: """
          Use 1 to 256 letters, digits, '-', '_' and '.' that don't begin with AWS_, different for \
          each viewer.
          """)
    }
  }
}
