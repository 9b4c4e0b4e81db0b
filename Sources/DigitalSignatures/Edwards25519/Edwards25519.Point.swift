// SPDX-License-Identifier: Apache-2.0
// Points of edwards25519 and their sums, in constant time. The formulas are complete: they hold for
// all points, equal or opposite ones and the neutral point included (Hisil, Wong, Carter, Dawson
// 2008, sections 3.1 and 3.3).

extension Edwards25519 {
  /// The point (X/Z, Y/Z), with T = X * Y / Z. All four are products, or below 2^51 in each limb.
  struct Point: BitwiseCopyable, Sendable {
    let x, y, z, t: Element

    static var neutral: Point { Point(x: .zero, y: .one, z: .one, t: .zero) }

    init(x: Element, y: Element, z: Element, t: Element) {
      (self.x, self.y, self.z, self.t) = (x, y, z, t)
    }

    /// Reads a point strictly (RFC 8032, 5.1.3): returns nil for a y of p or above, a y without a
    /// point, and the x of -0. Takes variable time.
    init?(encoding: Words256) {
      let isNegative = encoding.w3 &>> 63
      let number = Words256(encoding.w0, encoding.w1, encoding.w2, encoding.w3 & .max &>> 1)
      let y = Element(number)
      if y.number != number { return nil }
      // x² = u / v. The root is u v³ (u v⁷)^((p - 5) / 8), perhaps times the root of -1.
      let u = y.squared() - .one
      let v = Element.d * y.squared() + .one
      let cube = v.squared() * v
      var x = u * cube * (u * (cube.squared() * v)).rootPower()
      let square = v * x.squared()
      if square.number != u.number {
        if !(square + u).isZero { return nil }
        x = x * .rootOfMinusOne
      }
      if x.isZero && isNegative == 1 { return nil }
      if x.number.w0 & 1 != isNegative { x = (.zero - x) * .one }
      self.init(x: x, y: y, z: .one, t: x * y)
    }

    /// The encoding of RFC 8032, 5.1.2: y, with the lowest bit of x as the highest bit.
    var encoding: Words256 { Self.encoding(coordinates) }

    private static func encoding(_ coordinates: (x: Words256, y: Words256)) -> Words256 {
      let (x, y) = coordinates
      return Words256(y.w0, y.w1, y.w2, y.w3 | x.w0 &<< 63)
    }

    private var coordinates: (x: Words256, y: Words256) {
      let inverse = z.inverted()
      return ((x * inverse).number, (y * inverse).number)
    }

    /// The encoding, and the same point with a Z of 1. (Z depends on how the point was computed, so
    /// that of a product tells something about its factor.)
    var publicForm: (encoding: Words256, point: Point) {
      let coordinates = coordinates
      let (x, y) = (Element(coordinates.x), Element(coordinates.y))
      return (Self.encoding(coordinates), Point(x: x, y: y, z: .one, t: x * y))
    }

    var negated: Point {
      Point(x: (.zero - x) * .one, y: y, z: z, t: (.zero - t) * .one)
    }

    @inline(never)
    func doubled() -> Point { Factors(doubling: self).point }

    /// Whether the order of the point, which is public, divides 8.
    var hasSmallOrder: Bool { doubled().doubled().doubled().x.isZero }

    @inline(never)
    static func + (point: Point, summand: Summand) -> Point { Factors(point, plus: summand).point }

    @inline(never)
    static func + (point: Point, summand: AffineSummand) -> Point {
      Factors(point, plus: summand).point
    }
  }

  /// The factors of a sum's coordinates: X = e f, Y = g h, Z = f g, T = e h.
  struct Factors {
    let e, f, g, h: Element

    @inline(__always)
    init(doubling point: Point) {
      let (xx, yy, zz) = (point.x.squared(), point.y.squared(), point.z.squared())
      h = xx + yy
      g = yy - xx
      e = (point.x + point.y).squared() - h
      f = zz + zz + xx - yy
    }

    @inline(__always)
    init(_ point: Point, plus summand: Summand) {
      let product = point.z * summand.z
      self.init(
        point, summand.yPlusX, summand.yMinusX, summand.doubleDT, doubleZ: product + product)
    }

    @inline(__always)
    init(_ point: Point, plus summand: AffineSummand) {
      self.init(
        point, summand.yPlusX, summand.yMinusX, summand.doubleDXY, doubleZ: point.z + point.z)
    }

    @inline(__always)
    private init(
      _ point: Point, _ yPlusX: Element, _ yMinusX: Element, _ doubleDT: Element, doubleZ: Element
    ) {
      let a = (point.y - point.x) * yMinusX
      let b = (point.y + point.x) * yPlusX
      let c = point.t * doubleDT
      (e, f, g, h) = (b - a, doubleZ - c, doubleZ + c, b + a)
    }

    @inline(__always)
    var point: Point { Point(x: e * f, y: g * h, z: f * g, t: e * h) }

    /// The point without T, which doubling doesn't need.
    @inline(__always)
    var pointWithoutT: Point { Point(x: e * f, y: g * h, z: f * g, t: .zero) }
  }

  /// A point that is added several times: Y + X, Y - X, Z and 2 d T.
  struct Summand: BitwiseCopyable {
    let yPlusX, yMinusX, z, doubleDT: Element

    init(_ point: Point) {
      self.init(
        yPlusX: point.y + point.x, yMinusX: point.y - point.x, z: point.z,
        doubleDT: point.t * .doubleD)
    }

    private init(yPlusX: Element, yMinusX: Element, z: Element, doubleDT: Element) {
      (self.yPlusX, self.yMinusX, self.z, self.doubleDT) = (yPlusX, yMinusX, z, doubleDT)
    }

    var negated: Summand {
      Summand(yPlusX: yMinusX, yMinusX: yPlusX, z: z, doubleDT: .zero - doubleDT)
    }
  }

  /// A point of a table: y + x, y - x and 2 d x y.
  struct AffineSummand: BitwiseCopyable {
    let yPlusX, yMinusX, doubleDXY: Element

    @inline(__always)
    init(yPlusX: Element, yMinusX: Element, doubleDXY: Element) {
      (self.yPlusX, self.yMinusX, self.doubleDXY) = (yPlusX, yMinusX, doubleDXY)
    }

    var negated: AffineSummand { negated(where: .max) }

    /// Returns the opposite point if all bits of the mask are set, and the same one if none is.
    @inline(__always)
    func negated(where mask: UInt64) -> AffineSummand {
      AffineSummand(
        yPlusX: yPlusX.selecting(yMinusX, where: mask),
        yMinusX: yMinusX.selecting(yPlusX, where: mask),
        doubleDXY: doubleDXY.selecting(.zero - doubleDXY, where: mask))
    }
  }
}
