// The options of `npm run faults` (main.ts).
export const IS_LONG = process.env['FAULTS_LONG'] === '1'
/** How often the disk is filled. */
export const TIMES = Number(process.env['FAULTS_TIMES'] ?? 2)
export const ONLY = process.env['FAULTS_ONLY'] ?? ''
export const SEED = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
export const SECRETS_KEY = Buffer.alloc(32, 9)
