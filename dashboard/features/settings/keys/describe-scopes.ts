// Describes the scopes of a key in plain words, in groups.
import { counted } from '../../../../contract/counted.ts'
import { listFormat } from '../../../../contract/language.ts'
import { ALL_SCOPES, SCOPES, type Scope } from '../../../../contract/scopes.ts'

interface ScopeGroup {
  resource: string
  label: string
  scopes: readonly Scope[]
}

const LABELS: Readonly<Record<string, string>> = {
  organization: 'Organization settings',
  objects: 'Objects',
  records: 'Records',
  attributes: 'Attributes',
  activities: 'Activities',
  comments: 'Comments',
  reports: 'Reports',
  workflows: 'Workflows',
  members: 'Members',
  files: 'Files',
  attachments: 'Attachments',
  views: 'Views',
  search: 'Search',
  webhooks: 'Webhooks',
  privacy: 'Personal data',
}

const resourceOf = (scope: Scope) => scope.slice(0, scope.indexOf(':'))

export const SCOPE_GROUPS: readonly ScopeGroup[] = [...new Set(ALL_SCOPES.map(resourceOf))].map(
  (resource) => ({
    resource,
    label: LABELS[resource] ?? resource,
    scopes: ALL_SCOPES.filter((scope) => resourceOf(scope) === resource),
  }),
)

/** Label of a choice. A note above the choices says that writing does not include reading. */
export const scopeName = (scope: Scope): string =>
  SCOPES[scope].replace(' (reading them is another permission)', '')

const list = listFormat({ type: 'conjunction' })

/** `read`, or `create, update, delete`: the verbs of a scope without its resource. */
function verbsOf(scope: Scope): string[] {
  const words = SCOPES[scope].toLowerCase().replace(/ \(.*\)$/, '')
  return words
    .slice(0, words.lastIndexOf(' '))
    .replace(/ organization$/, '')
    .split(', ')
}

/** A sentence such as `Can read records. Nothing else.` @param scopes null: full access */
export function describeScopes(scopes: readonly Scope[] | null): string {
  if (scopes === null) return 'Can do everything the API offers, including later additions.'
  const parts = SCOPE_GROUPS.flatMap(({ label, scopes: ofGroup }) => {
    const verbs = ofGroup.filter((scope) => scopes.includes(scope)).flatMap(verbsOf)
    return verbs.length > 0 ? [`${list.format(verbs)} ${label.toLowerCase()}`] : []
  })
  if (parts.length === 0) return 'Can do nothing yet: choose at least one permission.'
  return `Can ${parts.join('; ')}. Nothing else.`
}

/** For a table cell: `Full access`, the name of a single scope, or the number of permissions. */
export function summarizeScopes(scopes: readonly Scope[] | null): string {
  if (scopes === null) return 'Full access'
  const [only] = scopes
  if (scopes.length === 1 && only) return scopeName(only)
  if (scopes.every((scope) => scope.endsWith(':read')))
    return `Read only, ${counted(scopes.length, 'permission')}`
  return counted(scopes.length, 'permission')
}
