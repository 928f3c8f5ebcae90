// The command line in a process of its own.
import '../server/entry/node/load-stripped.js'

const [{ fail }, { buildProgram }] = await Promise.all([import('./output.ts'), import('./program.ts')])
buildProgram().parseAsync().catch(fail)
