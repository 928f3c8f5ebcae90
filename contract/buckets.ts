/**
 * Where the dashboard puts what people attach. A file of this bucket that nothing uses any more is removed after a
 * day; files of every other bucket belong to the programs that uploaded them.
 */
export const DASHBOARD_BUCKET = 'dashboard-uploads'
