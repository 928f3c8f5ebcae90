// The command line as a separate process. It caches its compiled code for the next command.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import '../server/entry/node/load-stripped.js'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/rapport/compiled', import.meta.url)))
const [{ fail }, { buildProgram }] = await Promise.all([import('./output.ts'), import('./program.ts')])
buildProgram().parseAsync().catch(fail)
