// The list of commands.
import { Command } from 'commander'
import { keysCommand } from './keys.ts'
import { orgCommand } from './org.ts'
import { fail } from './output.ts'

const program = new Command('rapport')
  .description('The command line of Rapport. DATA_DIR or DATABASE_URL say which installation it works on.')
  .addCommand(orgCommand())
  .addCommand(keysCommand())
  .addHelpText('after', '\nExamples:\n  $ rapport org create --help\n  $ rapport keys list --org acme')

program.parseAsync().catch(fail)
