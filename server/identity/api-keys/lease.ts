// How long a process may believe what it read about a key, and why a deleted key is refused everywhere.

/**
 * Milliseconds for which an answer of the database about a key may be used, counted by the process's monotonic
 * clock from BEFORE the question was sent.
 *
 * Claim: a request that arrives after `deleteKey` answered is refused by every process on every node.
 * Proof. Let C be the moment the deletion's commit becomes visible.
 * 1. An answer that shows the key comes from a snapshot older than C, so its question was sent before C.
 * 2. The lease starts before the question is sent, hence before C, and ends before C + LEASE_MS. It is renewed
 *    only by another answer, to which 1 applies: no chain of renewals reaches beyond C + LEASE_MS. A late answer
 *    changes nothing, for the lease does not start when the answer arrives.
 * 3. A request uses the cache only within the lease, joins a read under way only within the lease of that read,
 *    and asks the database itself otherwise. So each accepted request arrived before C + LEASE_MS.
 * 4. `deleteKey` takes its time after the commit was acknowledged, so after C, and answers LEASE_MS and
 *    LEASE_MARGIN_MS later: after C + LEASE_MS. ∎
 * The margin covers timers that fire early (by up to 1 ms) and clocks of two machines that run at different
 * speeds (NTP slews by at most 0.05 %). The proof needs the clocks to run: a machine that is suspended and woken
 * again may accept the key for the rest of the lease it had.
 * With cells, key-places.ts proves it for what is read there.
 */
export const LEASE_MS = 1000
export const LEASE_MARGIN_MS = 10
