// SPDX-License-Identifier: Apache-2.0
// The URLSessions of a loader, and the tasks that send its requests.

internal import Foundation

#if canImport(FoundationNetworking)
  /// A URLSession for each transfer, so that no connection is reused. Otherwise libcurl resends
  /// any request, even a POST, if its cached connection is dead, and waits forever if it doesn't
  /// notice.
  struct Links: Sendable {
    private let configuration: URLSessionConfiguration

    /// The maximum duration of a transfer, because FoundationNetworking doesn't limit it.
    let longest: Duration?

    /// Creates links with a configuration, which it changes.
    init(_ configuration: URLSessionConfiguration) {
      configuration.timeoutIntervalForRequest = configuration.timeoutIntervalForRequest.convertible
      longest = configuration.timeoutIntervalForResource.limit
      self.configuration = configuration
    }

    /// Creates the link of a transfer.
    func link(for request: URLRequest) -> Link {
      Link(configuration.handlingCookies(of: request), DelegateQueue())
    }
  }

  extension Link {
    /// Creates the task of a request. Its body is streamed.
    func task(for request: URLRequest, _ body: Body) throws -> LinkTask {
      let request = try request.sendable(body)
      return LinkTask(
        task: session.dataTask(with: request),
        bodyFailure: (request.httpBodyStream as? BodyStream)?.failure)
    }
  }
#else
  /// One URLSession for all transfers.
  struct Links: Sendable {
    private let link: Link

    /// Nil, because URLSession limits the duration itself.
    let longest: Duration? = nil

    init(_ configuration: URLSessionConfiguration) { link = Link(configuration, nil) }

    func link(for request: URLRequest) -> Link { link }
  }

  extension Link {
    /// Creates the task of a request. A file is sent from the disk.
    func task(for request: URLRequest, _ body: Body) throws -> LinkTask {
      guard let file = try BodyFile(body) else {
        return LinkTask(task: session.dataTask(with: request))
      }
      return LinkTask(
        task: session.uploadTask(with: request, fromFile: file.location), file: file)
    }
  }
#endif
