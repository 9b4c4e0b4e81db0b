// SPDX-License-Identifier: Apache-2.0
// What dump() and debuggers may see of the values that hold credentials: what description says.

#if !hasFeature(Embedded)
  extension SigV4 {
    /// A mirror without children, so that only the description is printed.
    static func opaqueMirror<Subject>(_ subject: Subject) -> Mirror {
      Mirror(subject, children: [])
    }
  }

  extension SigV4.Header: CustomReflectable {
    /// Nothing: the value may be secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.Query: CustomReflectable {
    /// Nothing: a value may be secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.CanonicalHeaders: CustomReflectable, CustomStringConvertible {
    /// The number of lines. A value may be secret.
    public var description: String { "CanonicalHeaders(\(lines.count))" }

    /// Nothing: a value may be secret.
    var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.CanonicalRequest: CustomReflectable {
    /// Nothing: it may hold a session token.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.Credentials: CustomReflectable {
    /// Nothing: they hold a secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.SigningKey: CustomReflectable {
    /// Nothing: it is a secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.SigningKeyCache: CustomReflectable {
    /// Nothing: it holds secrets.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.SigningBuffer: CustomReflectable {
    /// Nothing: it may hold a session token.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.BatchPresigner: CustomReflectable {
    /// Nothing: it holds credentials.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.PresignedURLs: CustomReflectable {
    /// Nothing: URLs are secrets.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.PreparedRequest: CustomReflectable {
    /// Nothing: it holds credentials.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.PreparedURL: CustomReflectable {
    /// Nothing: it holds credentials.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.SignedRequest: CustomReflectable {
    /// Nothing: it holds credentials.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.PresignedURL: CustomReflectable {
    /// Nothing: the URL is a secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.PreparedPostForm: CustomReflectable {
    /// Nothing: its policy may hold a session token.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.PostForm: CustomReflectable {
    /// Nothing: whoever has its fields can upload.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.PostForm.Field: CustomReflectable {
    /// Nothing: the value may be secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.ConnectionToken: CustomReflectable {
    /// Nothing: the token is a secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }
#endif
