// rapport org: manages the organizations of the installation.
import { Command, Option } from 'commander'
import type { OrganizationContext } from '../server/identity/service.ts'
import { seedStandardObjects } from '../server/model/objects/standard.ts'
import { deleteCommand, renameCommand } from './org-changes.ts'
import { moveCommand } from './org-move.ts'
import { listCommand, movesCommand, showCommand } from './org-places.ts'
import { JSON_OUTPUT, type OutputOptions, print } from './output.ts'
import { withSession } from './session.ts'

interface CreateOptions extends OutputOptions {
  name: string
  slug?: string
  ownerName: string
  ownerEmail: string
  ownerPassword: string
  country?: string
  currency?: string
  timeZone?: string
}

const seed: OrganizationContext['seedStandardObjects'] = (tx, { org }) => seedStandardObjects(tx, org)

async function create(options: CreateOptions): Promise<void> {
  const { name, slug, ownerName, ownerEmail, ownerPassword, country, currency, timeZone } = options
  const owner = { name: ownerName, email: ownerEmail, password: ownerPassword }
  // Loaded only here, for the same reason as in session.ts.
  const { createOrganization } = await import('../server/identity/service.ts')
  const created = await withSession(async ({ ctx, openAuth }) =>
    createOrganization(
      { ...ctx, auth: await openAuth(), seedStandardObjects: seed },
      { name, slug, owner, country, currency, timeZone },
    ),
  )
  print(options, created, () => [
    `Organization ${created.slug} created: ${created.id}`,
    `Owner: ${ownerEmail} (${created.ownerUserId})`,
    `Next: rapport keys create --org ${created.slug} --name "My first key" --full-access`,
  ])
}

const CREATE_EXAMPLES = `
If the owner already has an account, give the email and password of that account.

Examples:
  $ rapport org create --name "Acme" --owner-name "Ada Lovelace" \\
      --owner-email ada@example.com --owner-password "correct horse"
  $ RAPPORT_OWNER_PASSWORD="correct horse" rapport org create --name "Acme GmbH" --slug acme \\
      --owner-name "Ada Lovelace" --owner-email ada@example.com \\
      --country DE --currency EUR --time-zone Europe/Berlin --json`

const password = () =>
  new Option('--owner-password <password>', 'password of the owner, 8 to 128 characters')
    .env('RAPPORT_OWNER_PASSWORD')
    .makeOptionMandatory()

const createCommand = () =>
  new Command('create')
    .description('Create an organization with its owner and the standard objects')
    .requiredOption('--name <name>', 'name of the organization')
    .requiredOption('--owner-name <name>', 'name of the owner')
    .requiredOption('--owner-email <email>', 'email of the owner, who signs in with it')
    .addOption(password())
    .option('--slug <slug>', 'short name; derived from the name when absent')
    .option('--country <code>', 'ISO 3166-1 code; phone numbers without + belong to it (default US)')
    .option('--currency <code>', 'ISO 4217 code (default USD)')
    .option('--time-zone <name>', 'IANA name (default UTC)')
    .option(...JSON_OUTPUT)
    .addHelpText('after', CREATE_EXAMPLES)
    .action(create)

export const orgCommand = (): Command =>
  new Command('org')
    .description('Create, list, rename, move and delete organizations')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(renameCommand())
    .addCommand(moveCommand())
    .addCommand(movesCommand())
    .addCommand(deleteCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport org list\n  $ rapport org create --help')
