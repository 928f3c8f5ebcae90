// The command line in a process of its own.
import { fail } from './output.ts'
import { buildProgram } from './program.ts'

buildProgram().parseAsync().catch(fail)
