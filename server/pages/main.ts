// npm run build: makes the dashboard's pages ahead of the first start, for images and read-only installations.
import { buildPages, PAGES_DIR } from './build.ts'

const isNew = await buildPages()
process.stdout.write(`${isNew ? 'built' : 'up to date'}: ${PAGES_DIR}\n`)
