// Every number that the planner decides by. Costs are microseconds of PostgreSQL on two cores with the data in memory;
// they need to be right beside each other, not on every machine. A changed number is checked by
// `npm run bench -- records` (docs/benchmarks.md) and by planner.test.ts.

/**
 * A record read in the order of one of its own indexes, with its data compared.
 * Measured on two cores when the planner was written; head scans of long notes took 2.3.
 */
export const RECORD_IN_ORDER = 2

/**
 * A record read by an id that an index row gave: its place is random.
 * Measured on two cores when the planner was written.
 */
export const RECORD_FETCHED = 5

/** An id read from an index that gives ids in order. Measured on two cores when the planner was written. */
export const ID_IN_ORDER = 0.3

/** An id read from an index out of order, and sorted. Measured with 5,000 ids among 100,000 records. */
export const ID_SORTED = 0.7

/**
 * An index row that is skipped: it lies before an offset, or its id is beyond a bound.
 * Measured with far offsets of the records bench, in the order of a text with many values (docs/benchmarks.md).
 */
export const INDEX_ROW_SKIPPED = 0.1

/** An index row that is read, matched with others by its id, and sorted. Measured with deep offsets in 300,000 records. */
export const INDEX_ROW_MATCHED = 0.4

/** A record that a trigram search finds, in texts of any length. Estimated; explain alone uses it. */
export const SEARCH_MATCH = 5

/**
 * A character of a text that its trigrams found and that is compared again.
 * Measured with the records bench, notes contains: 85 ms for 0.3 % of a million notes.
 */
export const SEARCH_CHARACTER = 0.2

/** To find in the histogram of ids where a bound ends. Measured with the records bench, name startsWith, 1 %. */
export const BOUND_LOOKUP = 1000

/** A pass through the different values of attributes. Measured with a filter of two texts, a million records. */
export const VALUES_PASS = 1000

/** To find a bucket of a histogram, and to skip the rows in it before the offset. Estimated; explain alone uses it. */
export const OFFSET_SEEK = 700

/** To read the records of the buckets that hold a page of nulls. Estimated: two buckets of 2,000 records. */
export const NULL_BUCKETS = 8000

/** Records of an object before statistics are read. Calculated: from 2,105 on a head scan of 600 costs less than a single pass. */
export const UNKNOWN_RECORDS = 10_000

/** Share of the records that meet a filter of which nothing is known. Estimated. */
export const UNKNOWN_SELECTIVITY = 0.1

/**
 * Index rows of a filter are counted up to this many where no counter has its cardinality: a millisecond and a half, by
 * ID_IN_ORDER.
 */
export const COUNT_CAP = 5000

/**
 * An ordered scan or an index scan reads this many times the records that are expected to fill a page, then the next path
 * follows. Estimated: the expectation takes filters to be independent.
 */
export const SCAN_OVERSHOOT = 4

/** Records that a bounded scan reads at least: 4 ms, by RECORD_IN_ORDER. Estimated. */
export const SCAN_BOUND_MIN = 2000

/** Comparisons of a head scan: records times alternatives of the filter. 1.2 ms, by RECORD_IN_ORDER. */
export const HEAD_COMPARISONS = 600

/** Records of a head scan at least: fewer say little about the share that matches. Estimated. */
export const HEAD_RECORDS_MIN = 200

/**
 * A head scan is extended to this many times the records that its sample promises.
 * Calculated: with a share of 1 % or more, samples of 600 records fill 97 of 100 pages of 51 rows by twice, 54 by once.
 * Closer than SCAN_OVERSHOOT, since the share is of this very filter and order.
 */
export const HEAD_OVERSHOOT = 2

/** Records that the extension of a head scan may read, independent of the sample: 8 ms, by RECORD_IN_ORDER. Estimated. */
export const HEAD_EXTENSION_MAX = 4000

/** Matches in the sample from which on its share is relied on beyond HEAD_EXTENSION_MAX. Estimated: one is chance. */
export const HEAD_MATCHES_MIN = 2

/** Ids that are kept in memory for an intersection: tables of 40 MB, which never go to the disk. Calculated. */
export const IN_MEMORY_IDS_MAX = 500_000

/** Larger offsets without a filter are found in a histogram. Estimated: a bucket holds 2,000 records. */
export const SEEK_OFFSET_MIN = 2000

/** Records that are read in the order of ids before a page of nulls is found by the histogram. Estimated: 10 ms. */
export const NULLS_SCAN_MAX = 5000
