"""The digests of a run."""

import hashlib

from bourre_referee.storage.files.digest import Chain, digest, hash_of


def test_the_digest_is_that_of_all_records_in_a_row() -> None:
    assert digest(["a\n", "é\n"]) == hashlib.sha256("a\né\n".encode()).hexdigest()
    assert digest([]) == hashlib.sha256(b"").hexdigest()


def test_the_chain_ends_before_the_first_gap_and_goes_on_when_it_is_closed() -> None:
    begun = hashlib.sha256(b"seed").digest()
    hashes = {f"m000{number}": hash_of(f"record {number}") for number in (1, 2, 3, 4)}
    links = [begun]
    for record_hash in hashes.values():
        links.append(hashlib.sha256(links[-1] + record_hash).digest())
    chain = Chain(begun.hex())
    for finished, length in [((), 0), ((2,), 0), ((4, 1, 2), 2), ((4, 1, 2), 2), ((1, 2, 3, 4), 4)]:
        chain.extend({f"m000{number}": hashes[f"m000{number}"] for number in finished})
        assert (chain.length, str(chain)) == (length, links[length].hex())


def test_what_will_never_be_played_is_no_gap() -> None:
    begun = hashlib.sha256(b"seed").hexdigest()
    records = [hash_of(f"record {number}") for number in range(3)]
    chain, whole = Chain(begun, {1, 3, 4}), Chain(begun)
    whole.extend({f"m000{number}": record for number, record in enumerate(records, start=1)})
    chain.extend({"m0002": records[0], "m0006": records[2]})
    assert str(chain) != str(whole)
    chain.extend({"m0002": records[0], "m0005": records[1], "m0006": records[2]})
    assert str(chain) == str(whole)
