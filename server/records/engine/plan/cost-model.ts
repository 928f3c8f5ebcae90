// Every number that the planner decides by. Costs are microseconds of PostgreSQL on two cores with the data in memory; only
// their proportions matter. "Calibration" is `npm run bench -- records --only "cost model" --records 200000` on two cores that
// did other work too, November 2026. A changed number is checked by `npm run bench -- records` and by planner.test.ts.

/**
 * A record read in the order of an index of the table of records, and compared.
 * Measured with the filters of the records bench; head scans of long notes took 2.3. Calibration, one short value: 0.6.
 */
export const RECORD_IN_ORDER = 2

/** A record read by an id that an index row gave, at a random place. Calibration: 5.2. */
export const RECORD_FETCHED = 5

/**
 * Share of the records that have the same first sort value as the last record of a page: all of them are fetched.
 * Assumed. With 40,000 records, a third with each value, it took 97 ms, and 65 ms by a full scan.
 */
export const TIED_SHARE = 0.01

/** An id read from an index that gives ids in order. Measured when the planner was written. Calibration: 0.11. */
export const ID_IN_ORDER = 0.3

/** An id read from an index out of order, and sorted. Measured with 5,000 ids of 100,000 records. Calibration: 0.21. */
export const ID_SORTED = 0.7

/** An index row that is skipped: it lies before an offset, or its id is beyond a bound. Calibration: 0.10. */
export const INDEX_ROW_SKIPPED = 0.1

/**
 * An index row that is read, matched with others by its id, and sorted.
 * Measured with deep offsets in 300,000 records. Calibration: 0.59.
 */
export const INDEX_ROW_MATCHED = 0.4

/**
 * A record that a trigram search finds.
 * Measured with the records bench, 200,000 records: 1.3 in email addresses (endsWith, 14 %), 18 in notes (contains, 0.3 %);
 * their geometric mean is 4.9.
 */
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

/**
 * To find a bucket of a histogram, and to skip the rows in it before the offset.
 * Measured with the records bench, offsets of 180,000 beyond a first page: 170 by id, 540 by change time, 740 by a number.
 */
export const OFFSET_SEEK = 700

/** To read the buckets that hold a page of nulls. Calculated: two buckets of 2,000 records, by RECORD_IN_ORDER. */
export const NULL_BUCKETS = 8000

/**
 * Records of an object before statistics are read.
 * Calculated: from 2,105 on, a head scan of 600 records costs less than a single pass with UNKNOWN_SELECTIVITY.
 */
export const UNKNOWN_RECORDS = 10_000

/** Selectivity of a filter without statistics. Measured: the median of the records bench's filters is 0.08. */
export const UNKNOWN_SELECTIVITY = 0.1

/**
 * Index rows of a filter are counted up to this number if no counter has its cardinality. Calculated: 1.5 ms by
 * ID_IN_ORDER, as long as a head scan.
 */
export const COUNT_CAP = 5000

/**
 * A single pass of a filter along a reference ends after this many ids. If there are more, they are counted, and
 * another path reads the page. Calculated: 0.7 ms by ID_SORTED, as long as another statement takes.
 */
export const LINKED_PASS_MAX = 1000

/**
 * An ordered scan or an index scan reads this many times the records that are expected to fill a page. Then the next
 * path follows. Calculated: 1.3 times the records fill 97 of 100 pages of 51 rows if filters are independent. 4 times
 * the records still fill them if a third as many match as independent filters would give.
 */
export const SCAN_OVERSHOOT = 4

/**
 * A bounded scan reads at least this many records. Calculated: 4 ms by RECORD_IN_ORDER, less than one fetch of 1,000
 * records.
 */
export const SCAN_BOUND_MIN = 2000

/** Comparisons of a head scan: records times alternatives of the filter. Calculated: 1.2 ms by RECORD_IN_ORDER. */
export const HEAD_COMPARISONS = 600

/**
 * A head scan reads at least this many records. Calculated: 200 show a selectivity of 0.1 with a standard deviation of
 * a fifth of it.
 */
export const HEAD_RECORDS_MIN = 200

/**
 * The extension of a head scan reads this many times the records that should fill the page by the sample's selectivity.
 * Calculated: with a selectivity of 0.01 or more and samples of 600 records, twice the records fill 97 of 100 pages of
 * 51 rows, and once the records fill 54.
 * Smaller than SCAN_OVERSHOOT, because the selectivity was measured with the same filter and order.
 */
export const HEAD_OVERSHOOT = 2

/** Records that the extension of a head scan may read with any sample. Calculated: 8 ms by RECORD_IN_ORDER. */
export const HEAD_EXTENSION_MAX = 4000

/**
 * A sample with fewer matches is not relied on beyond HEAD_EXTENSION_MAX. Calculated: with a selectivity of a tenth of
 * 1 in 600, a sample of 600 has one match in 95 of 1,000 cases, and two in 5.
 */
export const HEAD_MATCHES_MIN = 2

/**
 * Maximum number of ids in memory for an intersection. Calculated: hash tables of 40 MB, which are never written to
 * disk.
 */
export const IN_MEMORY_IDS_MAX = 500_000

/**
 * Larger offsets without a filter are found by a histogram. Calculated with INDEX_ROW_SKIPPED: skipping costs as much
 * as the measured seeks at an offset of 1,700 by id, and of 7,400 by a number.
 */
export const SEEK_OFFSET_MIN = 2000

/** Records that are read in the order of ids before nulls are found by the histogram. Calculated: 10 ms, as NULL_BUCKETS. */
export const NULLS_SCAN_MAX = 5000
