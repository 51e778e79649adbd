import Foundation

/// Data compressed by other programs, each with the command above it.
enum Packed {
  // seq 300 | gzip -9n | base64
  static let gzip = bytes(
    """
    H4sIAAAAAAACAx3TyxEFIQwDwbuiQQIM5J/Yjvfuep9pYUVTS1ulo6snD9ly5CkvecslH/nKTxmKlShTWcpWSjnKVZ7m0LQm
    Hzk1l+bWLM2jeTWf1tCyVrT4xqW1tUrraF2tpz20rR3tqc0P2tqlfbSv9lMNlVVRTdVS8XtLdVRX9XSGjnWiM3WWztbh7xyd
    q/N0h651ozt1l+7WLV3+7dV9ekPPetGbektv65Xe0SNG1yDHoMcgyKDIIMmgySDKoMogy+Duz8Zdh+tyna7bdbyu1/noZwI6
    3Zc7GpqIpqLJaDqakKakSWlaejYEd+Q0PU1QU9QkNU1NVFPVZPVqMe4oa9KatiauqWvymr4msCns3bTcEdlUNplNZxPalDap
    TWsT29Ub4I7eJrgpbpKb5ia6qW6ym+4+PRbuSG/am/imvslv+hsAI2AIfHtV3KFgGIyDgTAShsJYGAyj4dfz6/0xQDyCR/AI
    HsEjeASP4BE84h4qd3gEj+ARPIJH8Age6T33oP9Fc9eb7lH3qnvWveseNh7BI3hk9vS5wyN4BI/gETyCR/AIHsEjq98Id3gE
    j+ARPIJH8AgewSN4ZPdj4g6P4BE8gkfwCB7BI3gEj1S/Ou7wCB7BI3gEj+ARPIJH8Mjp58kdHsEjeASP4BE8gkfwCB65/Y65
    wyN4BI/gETyCR/AIHsEjrx98v/ihD3YFpIhEBAAA
    """)
  // seq 300 | python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read(), 9))' | base64
  static let zlib = bytes(
    """
    eNod08sRBSEMA8G7okECDOSf2I737nqfaWFFU0tbpaOrJw/ZcuQpL3nLJR/5yk8ZipUoU1nKVko5ylWe5tC0Jh85NZfm1izN
    o3k1n9bQsla0+MaltbVK62hdrac9tK0d7anND9rapX20r/ZTDZVVUU3VUvF7S3VUV/V0ho51ojN1ls7W4e8cnavzdIeudaM7
    dZfu1i1d/u3VfXpDz3rRm3pLb+uV3tEjRtcgx6DHIMigyCDJoMkgyqDKIMvg7s/GXYfrcp2u23W8rtf56GcCOt2XOxqaiKai
    yWg6mpCmpElpWno2BHfkND1NUFPUJDVNTVRT1WT1ajHuKGvSmrYmrqlr8pq+JrAp7N203BHZVDaZTWcT2pQ2qU1rE9vVG+CO
    3ia4KW6Sm+YmuqluspvuPj0W7khv2pv4pr7Jb/obACNgCHx7VdyhYBiMg4EwEobCWBgMo+HX8+v9MUA8gkfwCB7BI3gEj+AR
    POIeKnd4BI/gETyCR/AIHuk996D/RXPXm+5R96p71r3rHjYewSN4ZPb0ucMjeASP4BE8gkfwCB7BI6vfCHd4BI/gETyCR/AI
    HsEjeGT3Y+IOj+ARPIJH8AgewSN4BI9Uvzru8AgewSN4BI/gETyCR/DI6efJHR7BI3gEj+ARPIJH8Ageuf2OucMjeASP4BE8
    gkfwCB7BI68ffL/4oQ8VSav0
    """)
  // seq 300 | brotli -c | base64
  static let brotli = bytes(
    """
    H0ME+B0JNi7Ux8aNmIhDqUl33WDs+xZlMRDHOi1NLyWJdhFN/qqaWrXr1K1XvwAiTGiG5XhBlGRFrdHq9AaGRsYmps2YNWfe
    gkVLlq1YbY211llvw6Yt23bstsde++x34NCRYydOO+Osc867cOnKtRu33XHXPfc9ePTk2YvX3njrnfc+fPry7cdvf/z1z38Q
    IEGBBgMWHHDBAx8GTFiw4cCFB1744EeBEhVqNGjRQRc99HHgxIUbD1588MUPfxIkSZEmQ5Yccskjnw466aKbHnrpQ1/60Z8J
    JplimhlmmcNc5jGfDTbZYpsddtnDXvaxnwsuueKaG265w13ucZ8PPvnimx9++cNf/vFfCCGFEloYYYUjXOEJXwwxxRJbHHHF
    I17xiV8KKaWSWhpppSNd6UlfDjnlklseeeUjX/nJXwkllVJaGWWVo1zlKV8d6lSXutWjXvVRX/VTf01oUlOa1oxmNUdzNU/z
    taFNbWlbO9rVHu3VPu3XhS51pWvd6FZ3dFf3dF8f+tSXvvWjX/3RX/3TTwE=
    """)
  // seq 300 | zstd -19 | base64
  static let zstd = bytes(
    """
    KLUv/QRoNQ4ASkQEBwmw6yRJiHBSmHVtAGsAawDLHXdv3nCfbXbZZI8tdti1aYN9tdVVUz211FG3Zg310UYXTfTQQgddmjTQ
    N9tcM80zyxxzZ84wn2xyySSPLHLIlSmDfLHFFVM8scQRN2YM8XXr1alPlx69nR36cePFiQ8XHrycHPht1/Qsx50BxIN4iZM4
    EL/hNryG0/AZLsNjeIdzOAw/4Sa8hJPwES7CQ3iFUzgIv+AWvIJT8AkuwSN4gzM4BL9yK69yKp9yKY/ylrMcyo/cyIucyIdc
    yIO85CQH8gNuwAs4AR/gAjyAFziBA/C77a6b7rmNzugQ/dqtvdqpfdqlPdrbznZoP3ZjL3ZiH3ZhD/aykx3YD7pBL+gEfaAL
    9IBe6IQO0O+4Ha/jdHyOy/E43uM8DsfPuBkv42R8jIvxMF7jNA7Gr7gVr+JUfIpL8Sje4iwOxY+4ES/iRHyISwPEd92u13W6
    PtflelzvdV6H62fdrJd1sj7WxXpYr3VaB+tX3apXdao+1aV6VG91VofqR92oF3WiPtSFelAvdVIH6jfdptd0mj7TZXpM73RO
    h+kn3aSXdJI+0kV6SK90SgfpF92iV3SKPtElekQPADVelrE=
    """)
  // head -c 10M /dev/zero | gzip -9n | gzip -9n | base64
  static let gzipTwice = bytes(
    """
    H4sIAAAAAAACA+3Quw2CYBhA0Y/fBlyC3hWsjIO4CoklDRMQNmAGYmfYgBWMYQJeY5CcU936lnUeh3T5DVm2R9Us/T+/BgAA
    AAAAAABwctX0fqYjHuvr/kmGAMAJzMV4+7YRXWzL9itd4CcAAA==
    """)
  // head -c 16M /dev/zero | brotli -c | base64
  static let brotliZeros = bytes(
    "z///f/gnAOKxQCD3/n8=")
  // head -c 16M /dev/zero | zstd -1 | base64
  static let zstdZeros = bytes(
    """
    KLUv/QRIVAAAEAAAAQD7/znAAgIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAAC
    ABAAAgAQAEQAAAABAP3/zQsQAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIA
    EAACABAARAAAAAEA/f/NCxACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQ
    AAIAEABEAAAAAQD9/80LEAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAA
    AgAQAEQAAAABAP3/zQsQAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAAC
    ABAARAAAAAEA/f/NCxACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIA
    EABEAAAAAQD9/80LEAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQ
    AEQAAAABAP3/zQsQAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAA
    AQAAC9jiXg==
    """)
  // python3 -c 'print(end="\x1f\x8b\x08" + 7 * "\0" + 40000 * "\0\0\0\xff\xff")' | iconv -t latin1 | gzip -9n | base64
  static let emptyBlocks = bytes(
    """
    H4sIAAAAAAACA+3EoQEAAAQAMNEXDnY0Tde3sOqMMyNJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJ
    kiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJ
    kiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJ
    kiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJ
    kiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJkl4tPqR7w0oNAwA=
    """)

  /// The output of `seq 300`.
  static let text = Array((1...300).map { "\($0)\n" }.joined().utf8)
  /// The zlib stream without header and checksum.
  static let deflated = Array(zlib.dropFirst(2).dropLast(4))

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
  }
}
