// SPDX-License-Identifier: Apache-2.0
// signing-benchmark: signatures of this package, compared with their bare hash blocks and with
// other signers.

internal import BenchmarkSupport
internal import SecureHashing

@main
enum SigningBenchmark {
  static func main() {
    BenchmarkProgram(
      name: "signing-benchmark",
      purpose: "AWS Signature Version 4, compared with its bare hash blocks and other signers",
      options: [growth, vectors] + SigningPackage.all.map(\.option), prepare: prepare
    ).main()
  }

  private static let growth = ProgramOption(
    name: "--growth", help: "measure how the cost grows with headers, parameters and path instead")
  private static let vectors = ProgramOption(
    name: "--vectors", placeholder: "DIR", help: "read the official suite in DIR, not Tests/Vectors"
  )

  /// The trials of everybody who can compete here, after the check against published answers.
  private static func prepare(
    _ choices: ProgramChoices
  ) throws(BenchmarkError) -> BenchmarkSubject {
    let library = "swift-sigv4: \(SHA256.Implementation.current.name)"
    if choices.contains(growth) {
      try PublishedAnswers.check([])
      return BenchmarkSubject(libraries: [library], notes: [], trials: try Growth.trials())
    }
    let (found, absences) = SigningPeer.find()
    let peers = try found + SigningPackage.all.chosen(by: choices, SigningPackage.peer)
    try PublishedAnswers.check(peers)
    let chunks = try ChunkTrial()
    var (trials, notes) = (try measuredTrials(peers), absences + chunks.absences)
    trials.append(chunks.trial(try .measured))
    var suite: SuiteTrial?
    do {
      suite = try SuiteTrial(folder: choices.value(of: vectors))
    } catch {
      notes.append(
        "the official suite is left out: \(error.description) (--vectors names its folder)")
    }
    if let suite { trials.append(try suite.trial()) }
    return BenchmarkSubject(
      libraries: [library] + chunks.libraries + peers.map { "\($0.name): \($0.version)" },
      notes: notes, trials: trials)
  }

  private static func measuredTrials(
    _ peers: [SigningPeer]
  ) throws(BenchmarkError) -> [Trial] {
    let (download, presigned, wide) = (
      try MeasuredRequests.download, try MeasuredRequests.presignedDownload,
      try MeasuredRequests.wideDownload
    )
    var trials = SigningOperation.allCases.map { operation in
      let task = operation.isPresigned ? presigned : operation == .headerTextWide ? wide : download
      let expected = operation == .keyDerivation ? MeasuredRequests.signingKey : task.signature
      return operation.trial(task, expected: expected, peers)
    }
    trials.append(try ObjectTrial.trial(presigned))
    trials.append(try MultiRegionTrial.trial(download, peers))
    trials.append(try BatchTrial.trial(presigned))
    trials.append(try VerifyTrial.trial("verify", download))
    trials.append(try VerifyTrial.trial("verify-url", presigned))
    return trials
  }
}
