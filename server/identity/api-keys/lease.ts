// How long a process may use what it read about a key, and why every process refuses a deleted key.

/**
 * Milliseconds for which a process may use an answer of the database about a key. The process's monotonic clock
 * counts them from BEFORE the query is sent.
 *
 * Claim: every process on every node refuses a request that arrives after `deleteKey` answered.
 * Proof. Let C be the time at which the deletion's commit becomes visible.
 * 1. An answer that contains the key comes from a snapshot older than C, so its query was sent before C.
 * 2. The lease starts before the query is sent, hence before C, and ends before C + LEASE_MS. It is renewed
 *    only by another answer, to which 1 applies: no chain of renewals reaches beyond C + LEASE_MS. A late answer
 *    changes nothing, because the lease does not start when the answer arrives.
 * 3. A request uses the cache only within the lease, joins a read under way only within the lease of that read,
 *    and reads the database itself otherwise. So each accepted request arrived before C + LEASE_MS.
 * 4. `deleteKey` reads the time after the commit was acknowledged, so after C, and answers LEASE_MS and
 *    LEASE_MARGIN_MS later: after C + LEASE_MS. ∎
 * The margin covers timers that fire early (by up to 1 ms) and clocks of two machines that run at different
 * speeds (NTP slews by at most 0.05 %). The proof requires running clocks: a machine that is suspended and woken
 * again may accept the key for the rest of its lease.
 * key-places.ts proves the claim for keys that are read in cells.
 */
export const LEASE_MS = 1000
export const LEASE_MARGIN_MS = 10
