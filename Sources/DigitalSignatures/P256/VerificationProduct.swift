// SPDX-License-Identifier: Apache-2.0
// The sum of two multiples that verification needs, in variable time, because all of it is public.

/// Tables of multiples of the base point (SP 800-186, 3.2.1.3), in the files named BasePoint+.
enum BasePoint {
  /// Returns a multiple of the base point, in constant time.
  static func times(_ scalar: Scalar) -> ProjectivePoint {
    unsafe comb.withUnsafeBufferPointer { table in
      // Safety: the table contains all of the comb's points. The tests recompute them.
      unsafe table.baseAddress.map { unsafe Comb.multiply(scalar, $0) }
        ?? ProjectivePoint(.infinity)
    }
  }
}

enum VerificationProduct {
  /// Returns u1 * G + u2 * point, with a table of the point's first eight odd multiples.
  static func sum(_ u1: Scalar, _ u2: Scalar, _ point: AffinePoint) -> JacobianPoint {
    let multiples = oddMultiples(of: point)
    let first = WindowDigits(u1.words, width: 8)
    let second = WindowDigits(u2.words, width: 5)
    var sum = JacobianPoint.infinity
    for position in (0...256).reversed() {
      sum.double()
      let digit = second[position]
      if digit != 0 {
        sum.add(multiples[Int(digit.magnitude) / 2].negated(digit < 0))
      }
      let baseDigit = first[position]
      if baseDigit != 0 {
        let multiple = AffinePoint(
          wordsOf: BasePoint.oddMultiples, at: Int(baseDigit.magnitude) / 2)
        sum.add(multiple.negated(where: baseDigit < 0 ? .max : 0))
      }
    }
    return sum
  }

  /// Returns u1 * G + u2 * point, with a comb table of the point.
  static func sum(_ u1: Scalar, _ u2: Scalar, comb: [UInt64]) -> JacobianPoint {
    let first = Comb.digits(of: u1)
    let second = Comb.digits(of: u2)
    var sum = JacobianPoint.infinity
    for shift in (0..<Comb.spacing).reversed() {
      sum.double()
      for block in 0..<Comb.blockCount {
        sum.add(point(first, block, shift, BasePoint.comb))
        sum.add(point(second, block, shift, comb))
      }
    }
    return sum
  }

  private static func point(
    _ digits: Words256, _ block: Int, _ shift: Int, _ table: [UInt64]
  ) -> AffinePoint {
    let (index, mask) = Comb.entry(digits, block, shift)
    return AffinePoint(wordsOf: table, at: 32 * block + Int(index)).negated(where: mask)
  }

  /// Returns the point times 1, 3, 5 to 15.
  private static func oddMultiples(of point: AffinePoint) -> [JacobianPoint.Repeated] {
    var multiple = JacobianPoint(point)
    var twice = multiple
    twice.double()
    let step = JacobianPoint.Repeated(twice)
    var multiples = [JacobianPoint.Repeated(multiple)]
    multiples.reserveCapacity(8)
    for _ in 1..<8 {
      multiple.add(step)
      multiples.append(JacobianPoint.Repeated(multiple))
    }
    return multiples
  }
}

/// The digits of a number in width-w non-adjacent form. Each digit is zero, or odd with an absolute
/// value below 2^(w - 1). Of any `width` consecutive digits, at most one isn't zero. Computed in
/// variable time.
struct WindowDigits {
  private var digits = [Int8](repeating: 0, count: 257)

  init(_ number: Words256, width: Int) {
    let window = 1 << width
    var carry = 0
    var position = 0
    while position < 257 {
      let bit = position < 256 ? Int(number.bit(position)) : 0
      if bit == carry {
        position += 1
        continue
      }
      var digit = carry
      for index in 0..<width where position + index < 256 {
        digit += Int(number.bit(position + index)) << index
      }
      carry = digit > window / 2 ? 1 : 0
      digits[position] = Int8(truncatingIfNeeded: digit - carry * window)
      position += width
    }
  }

  subscript(position: Int) -> Int8 { digits[position] }
}

extension AffinePoint {
  /// Reads a point from a table whose points are words in Montgomery form.
  init(wordsOf table: [UInt64], at index: Int) {
    let first = 8 * index
    self.init(
      x: FieldElement(
        montgomery: Words256(table[first], table[first + 1], table[first + 2], table[first + 3])),
      y: FieldElement(
        montgomery: Words256(table[first + 4], table[first + 5], table[first + 6], table[first + 7])
      ))
  }
}

extension Comb {
  /// Creates the table of a point, which is public: its multiples by powers of 2^4, and in each
  /// block all their sums.
  static func table(of point: AffinePoint) -> [UInt64] {
    var points: [JacobianPoint] = []
    points.reserveCapacity(pointCount)
    var power = JacobianPoint(point)
    for block in 0..<blockCount {
      var teeth: [(JacobianPoint.Repeated, twice: JacobianPoint.Repeated)] = []
      for _ in 0..<self.teeth(block) {
        let tooth = JacobianPoint.Repeated(power)
        power.double()
        teeth.append((tooth, JacobianPoint.Repeated(power)))
        for _ in 1..<spacing { power.double() }
      }
      append(sumsOf: teeth, to: &points)
    }
    return words(of: points)
  }

  /// Appends the sums with all signs except the last tooth's: first the one with only minus signs,
  /// then, for each tooth, all earlier sums plus twice the tooth.
  private static func append(
    sumsOf teeth: [(JacobianPoint.Repeated, twice: JacobianPoint.Repeated)],
    to points: inout [JacobianPoint]
  ) {
    let first = points.count
    var sum = JacobianPoint.infinity
    if let last = teeth.last { sum = last.0.point }
    for (tooth, _) in teeth.dropLast() { sum.add(tooth.negated(true)) }
    points.append(sum)
    for (_, twice) in teeth.dropLast() {
      for index in first..<points.count {
        var sum = points[index]
        sum.add(twice)
        points.append(sum)
      }
    }
  }

  /// Returns the words of points that aren't infinity, with a single inversion: the products of all
  /// Z up to each point, the inverse of the last product, and back.
  private static func words(of points: [JacobianPoint]) -> [UInt64] {
    var products: [FieldElement] = []
    var product = FieldElement.one
    for point in points {
      products.append(product)
      product = product * point.z
    }
    var inverse = product.inverted()
    var words = [UInt64](repeating: 0, count: 8 * points.count)
    for (index, point) in points.enumerated().reversed() {
      let zInverse = inverse * products[index]
      inverse = inverse * point.z
      let square = zInverse.squared()
      let (x, y) = ((point.x * square).words, (point.y * (square * zInverse)).words)
      words.replaceSubrange(
        (8 * index)..<(8 * index + 8), with: [x.w0, x.w1, x.w2, x.w3, y.w0, y.w1, y.w2, y.w3])
    }
    return words
  }
}
