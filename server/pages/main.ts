// npm run build: builds the dashboard's pages, and the service's modules without types, before the first start. It is
// for images and read-only installations.

import { buildPages, PAGES_DIR } from './build.ts'
import { storeStrippedSources } from './stripped-sources.ts'

storeStrippedSources()
const isNew = await buildPages()
process.stdout.write(`${isNew ? 'built' : 'up to date'}: ${PAGES_DIR}\n`)
