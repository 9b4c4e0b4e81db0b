// SPDX-License-Identifier: Apache-2.0
// Points of P-256, and the formulas that double and add them.

/// A point of y^2 = x^3 - 3x + b other than infinity.
struct AffinePoint: BitwiseCopyable, Sendable {
  var x: FieldElement
  var y: FieldElement

  @inline(__always)
  init(x: FieldElement, y: FieldElement) {
    (self.x, self.y) = (x, y)
  }

  /// b of the curve (SP 800-186, 3.2.1.3), in Montgomery form.
  static var b: FieldElement {
    FieldElement(
      montgomery: Words256(
        0xD89C_DF62_29C4_BDDF, 0xACF0_05CD_7884_3090, 0xE5A2_20AB_F721_2ED6, 0xDC30_061D_0487_4834))
  }

  /// x^3 - 3x + b
  static func squareOfY(at x: FieldElement) -> FieldElement {
    (x.squared() - (.one + .one + .one)) * x + b
  }

  /// Whether the coordinates, which are public, are those of a point of the curve.
  var isOnCurve: Bool { (y.squared() - Self.squareOfY(at: x)).isZero }

  /// Returns the negative if all bits of the mask are set.
  @inline(__always)
  func negated(where mask: UInt64) -> AffinePoint {
    AffinePoint(x: x, y: y.selecting(-y, where: mask))
  }
}

/// The point (X/Z^2, Y/Z^3), or infinity if Z is zero.
struct JacobianPoint: BitwiseCopyable {
  var x: FieldElement
  var y: FieldElement
  var z: FieldElement

  static var infinity: JacobianPoint { JacobianPoint(x: .one, y: .one, z: .zero) }

  init(x: FieldElement, y: FieldElement, z: FieldElement) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  init(_ point: AffinePoint) {
    (x, y, z) = (point.x, point.y, .one)
  }

  /// Doubles the point, in constant time. No point is an exception, because the order of the curve
  /// is odd.
  ///
  /// "dbl-2001-b" of the Explicit-Formulas Database, with alpha = 3 * (X - Z^2) * (X + Z^2).
  @inline(never)
  mutating func double() {
    let delta = z.squared()
    let gamma = y.squared()
    let beta = x * gamma
    let partial = (x - delta) * (x + delta)
    let alpha = partial.doubled() + partial
    z = (y + z).squared() - gamma - delta
    let fourBeta = beta.doubled().doubled()
    x = alpha.squared() - fourBeta.doubled()
    let fourGammaSquared = gamma.doubled().squared()
    y = alpha * (fourBeta - x) - fourGammaSquared.doubled()
  }

  /// Adds a point in constant time. The points must not be infinity, equal or opposite. ``Comb``
  /// explains why they aren't.
  @inline(never)
  mutating func addDistinct(_ point: AffinePoint) {
    let zSquared = z.squared()
    let h = point.x * zSquared - x
    let r = point.y * (zSquared * z) - y
    finishAdding(h: h, r: r, x: x, y: y, z: z * h)
  }

  /// Computes the sum from H = U2 - U1, R = S2 - S1, U1, S1 and Z1 * Z2 * H.
  @inline(__always)
  private mutating func finishAdding(
    h: FieldElement, r: FieldElement, x u1: FieldElement, y s1: FieldElement, z sumZ: FieldElement
  ) {
    let hSquared = h.squared()
    let hCubed = hSquared * h
    let v = u1 * hSquared
    x = r.squared() - hCubed - v.doubled()
    y = r * (v - x) - s1 * hCubed
    z = sumZ
  }

  // MARK: - Variable time, for public points

  /// Adds any point, in variable time.
  @inline(never)
  mutating func add(_ point: AffinePoint) {
    if z.isZero {
      self = JacobianPoint(point)
      return
    }
    let zSquared = z.squared()
    let h = point.x * zSquared - x
    let r = point.y * (zSquared * z) - y
    if h.isZero {
      addSameX(isSamePoint: r.isZero)
    } else {
      finishAdding(h: h, r: r, x: x, y: y, z: z * h)
    }
  }

  /// Adds any point except infinity, in variable time.
  @inline(never)
  mutating func add(_ other: Repeated) {
    if z.isZero {
      self = other.point
      return
    }
    let zSquared = z.squared()
    let u1 = x * other.zSquared
    let s1 = y * other.zCubed
    let h = other.point.x * zSquared - u1
    let r = other.point.y * (zSquared * z) - s1
    if h.isZero {
      addSameX(isSamePoint: r.isZero)
    } else {
      finishAdding(h: h, r: r, x: u1, y: s1, z: z * other.point.z * h)
    }
  }

  private mutating func addSameX(isSamePoint: Bool) {
    if isSamePoint {
      double()
    } else {
      self = .infinity
    }
  }

  /// Returns whether x, modulo the order of the base point, is a number below it. Returns false for
  /// infinity.
  func hasX(_ r: Words256) -> Bool {
    if z.isZero { return false }
    let zSquared = z.squared()
    if (FieldElement(r) * zSquared - x).isZero { return true }
    // x can be r + n, which is below p only for few r.
    let (sum, carry) = Words256.add(r, Scalar.order)
    return carry == 0 && FieldElement.isReduced(sum)
      && (FieldElement(sum) * zSquared - x).isZero
  }

  /// A point that is added several times, with the square and the cube of Z.
  struct Repeated: BitwiseCopyable {
    var point: JacobianPoint
    let zSquared: FieldElement
    let zCubed: FieldElement

    init(_ point: JacobianPoint) {
      self.point = point
      zSquared = point.z.squared()
      zCubed = zSquared * point.z
    }

    func negated(_ isNegative: Bool) -> Repeated {
      var result = self
      if isNegative { result.point.y = -point.y }
      return result
    }
  }
}

/// The point (X/Z, Y/Z), for the one addition that can meet any two points, in constant time.
struct ProjectivePoint: BitwiseCopyable {
  var x: FieldElement
  var y: FieldElement
  var z: FieldElement

  init(_ point: JacobianPoint) {
    x = point.x * point.z
    y = point.y
    z = point.z.squared() * point.z
  }

  /// J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic
  /// curves", 2015, algorithm 5. The numbers are its lines.
  mutating func add(_ point: AffinePoint) {
    let b = AffinePoint.b
    var t0 = x * point.x  // 1
    var t1 = y * point.y  // 2
    let t3 = (point.x + point.y) * (x + y) - (t0 + t1)  // 3 to 7
    let t4 = point.y * z + y  // 8, 9
    var y3 = point.x * z + x  // 10, 11
    var x3 = y3 - b * z  // 12, 13
    x3 = x3.doubled() + x3  // 14, 15
    var z3 = t1 - x3  // 16
    x3 = t1 + x3  // 17
    let t2 = z.doubled() + z  // 19, 20
    y3 = b * y3 - t2 - t0  // 18, 21, 22
    y3 = y3.doubled() + y3  // 23, 24
    t0 = t0.doubled() + t0 - t2  // 25 to 27
    t1 = t4 * y3  // 28
    let t5 = t0 * y3  // 29
    y3 = x3 * z3 + t5  // 30, 31
    x3 = t3 * x3 - t1  // 32, 33
    z3 = t4 * z3 + t3 * t0  // 34 to 36
    (x, y, z) = (x3, y3, z3)
  }

  /// The coordinates, or zeros for infinity.
  var affine: AffinePoint {
    let inverse = z.inverted()
    return AffinePoint(x: x * inverse, y: y * inverse)
  }
}
