// The values that prevent a rule: several records have them, or they differ only in case.
import { Anchor, List } from '@mantine/core'
import { formatCount } from '../../../../contract/counted.ts'
import { ApiError } from '../../../shared/api/errors.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'

interface Conflict {
  values: string[]
  recordIds: string[]
}

function Records({ object, ids }: { object: string; ids: readonly string[] }) {
  const org = useOrg()
  return ids.map((id, index) => (
    <Anchor key={id} href={recordPaths.record(org, object, id)} target="_blank" ml={6}>
      Record {index + 1}
    </Anchor>
  ))
}

const LABELS: Readonly<Record<string, string>> = {
  case_conflict: 'Values in different cases',
  duplicate_values: 'Values that several records have',
}

export function SameValues({ object, error }: { object: string; error: unknown }) {
  const label = error instanceof ApiError ? LABELS[error.code] : undefined
  if (!(error instanceof ApiError) || label === undefined) return null
  const { conflicts = [], total = 0 } = error.details as { conflicts?: Conflict[]; total?: number }
  const more = total - conflicts.length
  return (
    <List size="sm" aria-label={label}>
      {conflicts.map(({ values, recordIds }) => (
        <List.Item key={recordIds[0]}>
          {values.join(' · ')}
          <Records object={object} ids={recordIds} />
        </List.Item>
      ))}
      {more > 0 && <List.Item>and {formatCount(more)} more</List.Item>}
    </List>
  )
}
