// SPDX-License-Identifier: Apache-2.0
// URLs that open a WebSocket: MQTT with IoT, Transcribe's streams, signalling of Kinesis Video.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// Presigned URLs that open a WebSocket.
  ///
  ///     let url = try SigV4.WebSocketURL.iot(
  ///       host: host, region: region, credentials: credentials, at: now).url
  ///
  /// A connection that is open stays open when its URL expires. The URL is a secret.
  public enum WebSocketURL {
    /// MQTT with AWS IoT. The URL does not say how long it lives, and a session token stands after
    /// its signature.
    ///
    /// Throws `invalidHost`, `invalidRegion` or `credentialsExpired`.
    ///
    /// Source: AWS IoT Core, Developer Guide, "Device communication protocols".
    public static func iot(
      host: String, region: String, credentials: Credentials, at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      try Connection.checkHost(host)
      let signer = try Signer(
        credentials: credentials, region: region, service: .iotDeviceGateway)
      return try signer.presign(
        Request("GET", scheme: .wss, host: host, path: .raw("/mqtt")), at: timestamp)
    }

    /// A stream of Amazon Transcribe, to be opened within 1 to 300 seconds.
    ///
    ///     let url = try SigV4.WebSocketURL.transcribe(
    ///       ["language-code": "en-US", "media-encoding": "pcm", "sample-rate": "16000"],
    ///       region: region, credentials: credentials, at: now)
    ///
    /// The signature of the URL is the one that the events which follow are signed with first.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the stream, such as `language-code`.
    ///   - kind: the kind of stream.
    ///   - host: the host of a FIPS or VPC endpoint, such as
    ///     `transcribestreaming-fips.us-east-1.amazonaws.com`. The default is the region's own.
    ///   - port: the port, 8443 unless you pass another one.
    ///   - region: the region of the endpoint.
    ///   - credentials: those of the caller.
    ///   - lifetime: how long the URL may be opened.
    ///   - timestamp: when it is made.
    ///
    /// Throws `invalidHost`, `invalidLifetime`, `invalidRegion`, `credentialsExpired`, and
    /// `alreadySigned` when `parameters` has one of a signature.
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

    /// The signalling channel of Kinesis Video Streams, to be opened within 1 second to 7 days.
    ///
    /// - Parameters:
    ///   - host: the host of the endpoint that GetSignalingChannelEndpoint gave for this role.
    ///   - channelARN: the ARN of the channel.
    ///   - role: the master of the channel, or a viewer.
    ///   - region: the region in which the channel is.
    ///   - credentials: those of the caller.
    ///   - lifetime: how long the URL may be opened.
    ///   - timestamp: when it is made.
    ///
    /// Throws `invalidHost`, `invalidResourceName`, `invalidLifetime`, `invalidRegion` or
    /// `credentialsExpired`.
    ///
    /// Source: Kinesis Video Streams WebRTC, Developer Guide, "ConnectAsMaster", "ConnectAsViewer".
    public static func kinesisVideo(
      host: String, channelARN: String, as role: SignalingRole, region: String,
      credentials: Credentials, expiresIn lifetime: Duration = .seconds(299),
      at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      let seconds = lifetime.wholeSeconds
      try Connection.checkHost(host)
      try Connection.checkLifetime(seconds)
      try checkChannel(channelARN)
      var query: Query = ["X-Amz-ChannelARN": channelARN]
      if let clientID = role.clientID {
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
  /// One of Transcribe's streams.
  public struct TranscribeStream: Hashable, Sendable {
    fileprivate let path: String

    /// Amazon Transcribe.
    public static let general = Self(path: "/stream-transcription-websocket")
    /// Amazon Transcribe Medical.
    public static let medical = Self(path: "/medical-stream-transcription-websocket")
    /// Amazon Transcribe Call Analytics.
    public static let callAnalytics = Self(path: "/call-analytics-stream-transcription-websocket")
  }

  /// The role of the one that connects to a signalling channel.
  public struct SignalingRole: Hashable, Sendable {
    fileprivate let clientID: String?

    /// The master, of which a channel has one.
    public static let master = Self(clientID: nil)

    /// A viewer with an ID of its own: 1 to 256 letters, digits, '-', '_' and '.'.
    public static func viewer(clientID: String) -> Self { Self(clientID: clientID) }
  }

  static func checkChannel(_ channelARN: String) throws(SigV4.SigningError) {
    let isVisible = channelARN.utf8.allSatisfy(ASCIIByte.isVisible)
    if !channelARN.hasPrefix("arn:") || channelARN.utf8.count > 1_024 || !isVisible {
      throw SigV4.SigningError(
        .invalidResourceName,
        """
        \(quoted: channelARN) is not the ARN of a signalling channel; give the whole ARN, which \
        begins with arn: and has the name of the channel in it
        """)
    }
  }

  static func checkClientID(_ clientID: String) throws(SigV4.SigningError) {
    let isReserved = clientID.lowercased().hasPrefix("aws_")
    if clientID.utf8.count > 256 || isReserved || !SigV4.CredentialScope.isName(clientID) {
      throw SigV4.SigningError(
        .invalidResourceName,
        """
        \(quoted: clientID) cannot be the ID of a viewer; give 1 to 256 letters, digits, '-', '_' \
        and '.' that do not begin with AWS_, different for each viewer
        """)
    }
  }
}
