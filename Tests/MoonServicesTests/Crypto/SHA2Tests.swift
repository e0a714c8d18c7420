import Testing

@testable import MoonServices

/// Hashes and codes, compared with published test vectors.
struct SHA2Tests {
  /// What is hashed, and its hashes.
  struct Hashed: Sendable, CustomTestStringConvertible {
    let data: [UInt8]
    let hashes: [SHA2: String]

    // The million letters of one would be printed again and again.
    var testDescription: String { "\(data.count) bytes" }
  }

  /// What has a code, the key, and its codes.
  struct Authenticated: Sendable {
    let key: [UInt8]
    let data: [UInt8]
    let codes: [SHA2: String]
  }

  // FIPS 180-4: the examples of one and of many blocks, a million letters, and nothing at all.
  static let hashed = [
    Hashed(
      data: [],
      hashes: [
        .sha256:
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        .sha384:
          "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
          + "274edebfe76f65fbd51ad2f14898b95b",
        .sha512:
          "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
          + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
      ]),
    Hashed(
      data: Array("abc".utf8),
      hashes: [
        .sha256:
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        .sha384:
          "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
          + "8086072ba1e7cc2358baeca134c825a7",
        .sha512:
          "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      ]),
    Hashed(
      data: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      hashes: [
        .sha256:
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        .sha384:
          "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6"
          + "b0455a8520bc4e6f5fe95b1fe3c8452b",
        .sha512:
          "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
          + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445",
      ]),
    Hashed(
      data: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
      hashes: [
        .sha256:
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        .sha384:
          "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b"
          + "07b8b3dc38ecc4ebae97ddd87f3d8985",
        .sha512:
          "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
          + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b",
      ]),
  ]

  // RFC 4231, but for the case of shortened codes; and keys of no byte, of a block and of one more.
  static let authenticated = [
    Authenticated(
      key: [UInt8](repeating: 0x0B, count: 20),
      data: Array("Hi There".utf8),
      codes: [
        .sha256:
          "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        .sha384:
          "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
          + "faea9ea9076ede7f4af152e8b2fa9cb6",
        .sha512:
          "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
          + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
      ]),
    Authenticated(
      key: Array("Jefe".utf8),
      data: Array("what do ya want for nothing?".utf8),
      codes: [
        .sha256:
          "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        .sha384:
          "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
          + "8e2240ca5e69e2c78b3239ecfab21649",
        .sha512:
          "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
          + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
      ]),
    Authenticated(
      key: [UInt8](repeating: 0xAA, count: 20),
      data: [UInt8](repeating: 0xDD, count: 50),
      codes: [
        .sha256:
          "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        .sha384:
          "88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b"
          + "2a5ab39dc13814b94e3ab6e101a34f27",
        .sha512:
          "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39"
          + "bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb",
      ]),
    Authenticated(
      key: Array(1...25),
      data: [UInt8](repeating: 0xCD, count: 50),
      codes: [
        .sha256:
          "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        .sha384:
          "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e"
          + "6801dd23c4a7d679ccf8a386c674cffb",
        .sha512:
          "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db"
          + "a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd",
      ]),
    Authenticated(
      key: [UInt8](repeating: 0xAA, count: 131),
      data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      codes: [
        .sha256:
          "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        .sha384:
          "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6"
          + "0c2ef6ab4030fe8296248df163f44952",
        .sha512:
          "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
          + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
      ]),
    Authenticated(
      key: [UInt8](repeating: 0xAA, count: 131),
      data: Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. "
          + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
      codes: [
        .sha256:
          "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        .sha384:
          "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5"
          + "a678cc31e799176d3860e6110c46523e",
        .sha512:
          "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944"
          + "b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58",
      ]),
    Authenticated(
      key: [],
      data: [],
      codes: [
        .sha256:
          "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad",
        .sha384:
          "6c1f2ee938fad2e24bd91298474382ca218c75db3d83e114b3d4367776d14d35"
          + "51289e75e8209cd4b792302840234adc",
        .sha512:
          "b936cee86c9f87aa5d3c6f2e84cb5a4239a5fe50480a6ec66b70ab5b1f4ac673"
          + "0c6c515421b327ec1d69402e53dfb49ad7381eb067b338fd7b0cb22247225d47",
      ]),
    Authenticated(
      key: [],
      data: Array("abc".utf8),
      codes: [
        .sha256:
          "fd7adb152c05ef80dccf50a1fa4c05d5a3ec6da95575fc312ae7c5d091836351",
        .sha384:
          "948f7c5caa500c31d7d4a0f52f3e3da7e33c8a9fe6ef528b8a9ac3e4adc4e24d"
          + "908e6f40b737510e82354759dc5e9f06",
        .sha512:
          "29689f6b79a8dd686068c2eeae97fd8769ad3ba65cb5381f838358a8045a358e"
          + "e3ba1739c689c7805e31734fb6072f87261d1256995370d55725cba00d10bdd0",
      ]),
    Authenticated(
      key: [UInt8](repeating: 1, count: 64),
      data: [],
      codes: [
        .sha256:
          "11581ebc1f05ecefdee13d63845c1a43b219a7bc8e0e90d3396baeb2a55677d7",
        .sha384:
          "3347dbf2a5ac8808858c61bae301051c395cfae99ee7e7d16925e8f2baa95cfc"
          + "24836d5076ef599a58c75e599cfe27e5",
        .sha512:
          "1cd0aba801bedf468a60876a5ea960ec9718c570c3f9c79dafd08765949196a3"
          + "3ab7efde80975cebe5a5efedd2dfb9794d24cc5e81c18c6ae300ffe17c6a0e46",
      ]),
    Authenticated(
      key: [UInt8](repeating: 1, count: 65),
      data: [],
      codes: [
        .sha256:
          "64fe4bbddcb2a92f94cfea8110bd7ca1aaf32e8093d49fa604534abd7cb2a3ae",
        .sha384:
          "239ff72af7fe1e5269a974880a722e5662ea1a2d6f539801e86600e10ada614f"
          + "38c8b509e545a247649aec1e9623a754",
        .sha512:
          "b5332b469201c9253b526da523cf1d8b66e3360064dcd69b63e33b70e65740cd"
          + "6867db4a98de2cedd89a7e09c0148effcc87ace3e3c2f14b08ebf5c763b567e6",
      ]),
    Authenticated(
      key: [UInt8](repeating: 1, count: 128),
      data: [],
      codes: [
        .sha256:
          "fdb3932dc6d6d10d28f58195f0b1feedae61e05c03168b71e97a98b0788a55e9",
        .sha384:
          "7a6afda499b294b2a38c3ccdaa6ba36ddf9f7927aaae3fbc53116570615aa3d4"
          + "6dc2b3da720295d13b3d6f75f550b6c4",
        .sha512:
          "5eb68d232fba442a9832bb9d3ef2c7a8c94f66402fe562e85580c985033f6b96"
          + "defc29cdbc5b7fa3902e1983742558e94aba47dee1c5be24c59452c5ff49d9e8",
      ]),
    Authenticated(
      key: [UInt8](repeating: 1, count: 129),
      data: [],
      codes: [
        .sha256:
          "4c08277cc5fbe30d782ae5c162978d2114eeb82db925f5e7266b2305b62e6ce8",
        .sha384:
          "3ce016b9c3637d6c8a79b061695662ff037c53cc1bb5b05de40c91fe419952fc"
          + "5bdfab6392ac853a81d6a2c529a204e1",
        .sha512:
          "2941d5266949c963b5bb21190313ce9287c2f9d636d4a76cacf460ec8505c89e"
          + "3cdc19b5d9ec22f64396fc8f61d277328090498895df98e97af61ae615bbf246",
      ]),
  ]

  @Test(arguments: hashed, SHA2.allCases)
  func `a hash is that of the standard`(one: Hashed, algorithm: SHA2) throws {
    #expect(Encodings.hex(try algorithm.hash(one.data)) == one.hashes[algorithm])
  }

  @Test(arguments: authenticated, SHA2.allCases)
  func `a code is that of the standard`(one: Authenticated, algorithm: SHA2) throws {
    let code = try algorithm.code(of: one.data, one.key)
    #expect(Encodings.hex(code) == one.codes[algorithm])
    #expect(try algorithm.isValid(code, for: one.data, one.key))
    #expect(try algorithm.isValid(Array(Encodings.hex(code).utf8), for: one.data, one.key))
  }

  @Test(arguments: SHA2.allCases)
  func `a code that differs anywhere, in bits or in length, isn't valid`(algorithm: SHA2) throws {
    let (key, data) = ([UInt8](1...9), Array("abc".utf8))
    let code = try algorithm.code(of: data, key)
    for index in code.indices {
      var other = code
      other[index] ^= 1
      #expect(!(try algorithm.isValid(other, for: data, key)), "byte \(index)")
    }
    for other in [[], Array(code.dropLast()), code + [0], code + code] {
      #expect(!(try algorithm.isValid(other, for: data, key)), "\(other.count) bytes")
    }
    #expect(!(try algorithm.isValid(code, for: data, key + [1])))
  }
}
