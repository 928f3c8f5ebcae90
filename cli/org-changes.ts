// rapport org rename and delete.
import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { AppError } from '../server/base/errors.ts'
import { contentsOf, deleteOrganization } from '../server/cells/delete-organization.ts'
import { LEASE_MS } from '../server/identity/api-keys/lease.ts'
import { renameOrganization } from '../server/identity/service.ts'
import { enterCell, getOrganization } from './organization.ts'
import { JSON_OUTPUT, type OutputOptions, print } from './output.ts'
import { withSession, withStoppableSession } from './session.ts'

interface RenameOptions extends OutputOptions {
  name?: string
  slug?: string
}

async function rename(idOrSlug: string, { name, slug, ...options }: RenameOptions): Promise<void> {
  if (name === undefined && slug === undefined)
    throw new AppError('validation_error', 'There is nothing to change: give --name, --slug or both')
  const names = { ...(name !== undefined && { name }), ...(slug !== undefined && { slug }) }
  const {
    org: _,
    cell: __,
    ...renamed
  } = await withSession(async ({ ctx }) => {
    const { id } = await getOrganization(ctx.directory, idOrSlug)
    return renameOrganization(ctx, id, names)
  })
  print(options, renamed, () => [`Organization ${renamed.slug} is called ${renamed.name}.`])
}

interface DeleteOptions extends OutputOptions {
  confirm?: string
}

async function remove(idOrSlug: string, { confirm, ...options }: DeleteOptions): Promise<void> {
  await withStoppableSession(async (session) => {
    const { ctx, organization } = await enterCell(session, idOrSlug)
    const { slug, id, name } = organization
    const { members, records, files } = await contentsOf(ctx, organization)
    if (confirm !== slug)
      throw new AppError(
        'validation_error',
        `This deletes ${name} permanently, with ${members} members, ${records} records and ${files} files: confirm with --confirm ${slug}`,
      )
    const rows = await deleteOrganization(ctx, organization, {
      leasesEnded: () => delay(LEASE_MS),
      signal: session.signal,
    })
    print(options, { id, slug, members, records, files, rows }, () => [
      `Organization ${slug} is deleted: ${records} records, ${rows} rows in all.`,
      'A worker deletes its stored files within an hour. Backups keep its data until they expire.',
    ])
  })
}

const RENAME_HELP = `
The slug is part of the addresses of its pages: with another one, bookmarks and links in old messages end. API keys,
webhooks and ids stay.

Examples:
  $ rapport org rename acme --name "Acme Group"
  $ rapport org rename acme --slug acme-group --json`

export const renameCommand = (): Command =>
  new Command('rename')
    .description('Change the name or the slug of an organization')
    .argument('<id or slug>', 'the organization')
    .option('--name <name>', 'its new name')
    .option('--slug <slug>', 'its new slug: lower-case letters, digits and hyphens')
    .option(...JSON_OUTPUT)
    .addHelpText('after', RENAME_HELP)
    .action(rename)

const DELETE_HELP = `
It cannot be undone. First its members lose access and its keys stop working; then its rows are removed in small steps
while the service runs. A command that was stopped goes on when it is given again. Its users stay, with their other
organizations.

Examples:
  $ rapport org delete acme
  $ rapport org delete acme --confirm acme`

export const deleteCommand = (): Command =>
  new Command('delete')
    .description('Delete an organization with everything it has')
    .argument('<id or slug>', 'the organization')
    .option('--confirm <slug>', 'the slug again; without it, the command says what would be deleted')
    .option(...JSON_OUTPUT)
    .addHelpText('after', DELETE_HELP)
    .action(remove)
