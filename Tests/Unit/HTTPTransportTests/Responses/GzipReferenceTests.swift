import Foundation
import TestRequirements
import TestSupport
import Testing

@testable import Transports

/// Bodies in gzip of several members, damaged or not, compared with Python's gzip module and with gzip(1).
@Suite struct GzipReferenceTests {
  /// Writes one line of JSON for each case to the given file.
  private static let script = #"""
    import base64, gzip, io, json, random, subprocess, sys, zlib
    seed, path = int(sys.argv[1]), sys.argv[2]
    numbers = random.Random(seed)
    def member(text):
        way = numbers.randrange(3)
        if way == 0:
            file = io.BytesIO()
            with gzip.GzipFile(filename=numbers.choice(["", "page.html"]), mode="wb", fileobj=file, mtime=numbers.randrange(1 << 31),
                compresslevel=numbers.randrange(10)) as packed: packed.write(text)
            return file.getvalue()
        if way == 1:
            packer = zlib.compressobj(numbers.randrange(10), wbits=31)
            return packer.compress(text[:99]) + packer.flush(zlib.Z_FULL_FLUSH) + packer.compress(text[99:]) + packer.flush()
        return subprocess.run(["gzip", "-c"], input=text, stdout=subprocess.PIPE, check=True).stdout
    with open(path, "w") as file:
        for _ in range(60):
            texts = [bytes(numbers.choice(b"ab<>\n\x00\xff") for _ in range(numbers.choice([0, 1, 50, 3000])))
                for _ in range(numbers.randrange(1, 5))]
            members = [member(text) for text in texts]
            packed = bytearray(b"".join(members))
            damage = numbers.choice(["none", "none", "sum", "length"])
            if damage != "none":
                end = sum(map(len, members[:numbers.randrange(len(members)) + 1]))
                packed[end - (numbers.randrange(5, 9) if damage == "sum" else numbers.randrange(1, 5))] ^= 1 << numbers.randrange(8)
            try: text = base64.b64encode(gzip.decompress(packed)).decode()
            except (OSError, EOFError, zlib.error): text = None
            print(json.dumps(dict(packed=base64.b64encode(packed).decode(), text=text)), file=file)
    """#

  private struct Case: Decodable {
    var packed: Data
    var text: Data?
  }

  @Test func membersAreDecodedAsByPython() throws {
    let seed = UInt32.random(in: 0...UInt32.max)
    let files = try TemporaryFolder(["make.py": Self.script])
    let output = files.path + "/cases"
    guard try runProgram("python3", [files.path + "/make.py", "\(seed)", output]) == 0 else {
      try skipTest("there is no python3, or no gzip")
    }
    let lines = readText(output).split(separator: "\n")
    #expect(lines.count == 60)
    var faults = 0
    for line in lines {
      let row = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
      let decoded = Decoded(Array(row.packed), ["gzip"])
      if let text = row.text {
        #expect(decoded == Decoded(body: Array(text)), "seed \(seed)")
      } else {
        faults += 1
        #expect(decoded.codingError == .wrongChecksum, "seed \(seed)")
      }
    }
    #expect(faults > 0, "seed \(seed)")
  }
}
