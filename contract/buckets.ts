/**
 * The bucket of files that people attach in the dashboard. An unused file of this bucket is removed after a day.
 * Files of other buckets belong to the programs that uploaded them.
 */
export const DASHBOARD_BUCKET = 'dashboard-uploads'
