// rapport workflows: the functions of the dashboard for workflows, from a terminal.
import { Command } from 'commander'
import { definitionCommands } from './workflows-definitions.ts'
import { runCommands } from './workflows-runs.ts'
import { secretsCommand } from './workflows-secrets.ts'
import { switchingCommands } from './workflows-switching.ts'

export function workflowsCommand(): Command {
  const command = new Command('workflows').description('Define and run workflows, and look at their runs')
  const all = [...definitionCommands(), ...switchingCommands(), ...runCommands(), secretsCommand()]
  for (const one of all) command.addCommand(one)
  return command.addHelpText(
    'after',
    '\nExamples:\n  $ rapport workflows put --org acme --file thanks.json --enable\n  $ rapport workflows run "Say thanks" --org acme --wait',
  )
}
