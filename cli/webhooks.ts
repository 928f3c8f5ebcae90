// rapport webhooks: the functions of the webhook portal, from a terminal.
import { Command } from 'commander'
import { deliveriesCommand } from './webhooks-deliveries.ts'
import { endpointsCommand } from './webhooks-endpoints.ts'

export const webhooksCommand = (): Command =>
  new Command('webhooks')
    .description('Manage endpoints and their deliveries')
    .addCommand(endpointsCommand())
    .addCommand(deliveriesCommand())
    .addHelpText(
      'after',
      '\nExamples:\n  $ rapport webhooks endpoints list --org acme\n  $ rapport webhooks deliveries recover --help',
    )
