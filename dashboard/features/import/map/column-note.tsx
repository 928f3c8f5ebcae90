// The note next to a column: how it was mapped, how its cells find records, which values are invalid.

import { Checkbox, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleHelp, Link2, type LucideIcon, TriangleAlert } from 'lucide-react'
import { TYPE_CONTRACTS } from '../../../../contract/attribute-types.ts'
import { listFormat } from '../../../../contract/language.ts'
import { namingAttribute } from '../../../../contract/record-name.ts'
import { type Attribute, objectQuery } from '../../../shared/api/objects.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'
import type { Import } from '../api.ts'
import { unlikeValues } from '../check/preview.ts'
import { useImportPage } from '../page/use-import-page.ts'
import {
  canCreate,
  clashOf,
  type Draft,
  matchable,
  NOTHING,
  partOf,
  slugOf,
  sureness,
  withHandling,
} from './mapping.ts'

const SURENESS: Readonly<Record<'sure' | 'likely' | 'unsure', readonly [LucideIcon, string, string]>> = {
  sure: [CircleCheck, 'Matched by name', 'good'],
  likely: [CircleCheck, 'Likely match', 'muted'],
  unsure: [CircleHelp, 'Matched by content, please check', 'warning'],
}

export interface ColumnProps {
  file: Import
  draft: Draft
  index: number
  onChange(draft: Draft): void
}

/** How the cells of a column find the records they refer to. */
const MemberNote = () => (
  <span className="inline gap-6 muted tiny">
    <Link2 className="muted" size={14} aria-hidden />
    Finds members by email or user ID
  </span>
)

/** Whether missing records that the cells name are created. */
function CreateChoice({ plural, draft, index, onChange }: ColumnProps & { plural: string }) {
  const { object } = useImportPage()
  if (!canCreate(object, draft.targets[index] ?? NOTHING)) return null
  return (
    <Checkbox
      size="xs"
      label={`Create ${plural} that do not exist`}
      checked={draft.handling[index] === 'create'}
      onChange={({ currentTarget }) =>
        onChange(withHandling(draft, index, currentTarget.checked ? 'create' : 'fail'))
      }
    />
  )
}

function ReferenceNote({ objectId, ...row }: ColumnProps & { objectId: string }) {
  const { data: object } = useQuery(objectQuery(useOrg(), objectId))
  if (!object) return null
  const naming = namingAttribute(object.attributes)
  const uniques = matchable(object.attributes).filter(({ type }) => TYPE_CONTRACTS[type].identifies)
  const names = [naming, ...uniques].flatMap((one) => (one ? [one.name.toLowerCase()] : []))
  const by = partOf(row.draft.targets[row.index] ?? NOTHING)
  const chosen = object.attributes.find(({ slug }) => slug === by)
  const ways = chosen
    ? chosen.name.toLowerCase()
    : listFormat({ type: 'disjunction' }).format([...new Set(names), 'ID'])
  const plural = object.pluralName.toLowerCase()
  return (
    <Stack gap={6}>
      <CreateChoice {...row} plural={plural} />
      <span className="inline gap-6 muted tiny">
        <Link2 className="muted" size={14} aria-hidden />
        Finds {plural} by {ways}
      </span>
    </Stack>
  )
}

/** Shows the first invalid sample, as a warning only: the mapping follows the header, and only such rows fail. */
function ValueWarning({ attribute, file, draft, index }: ColumnProps & { attribute: Attribute }) {
  const { organization } = useOrganization()
  const { samples = [] } = file.columns[index] ?? {}
  const [first] = unlikeValues(attribute, samples, { format: draft.format, currency: organization.currency })
  if (!first) return null
  return (
    <span className="inline gap-6 muted tiny">
      <TriangleAlert className="warning" size={14} aria-hidden />
      <span className="breakable">
        “{first.text}” is {first.problem}
      </span>
    </span>
  )
}

function Sureness({ file, draft, index }: ColumnProps) {
  const sure = sureness(file, index, draft.targets[index] ?? NOTHING)
  if (sure === undefined) return null
  const [Icon, text, tone] = SURENESS[sure]
  return (
    <span className="inline gap-6 muted tiny">
      <Icon className={tone} size={14} aria-hidden />
      {text}
    </span>
  )
}

export function ColumnNote(row: ColumnProps) {
  const { file, draft, index } = row
  const { object } = useImportPage()
  const target = draft.targets[index] ?? NOTHING
  const clash = clashOf(draft, index)
  if (clash !== undefined)
    return (
      <span className="inline gap-6 danger tiny">
        <CircleAlert size={14} aria-hidden />
        Also filled by {file.columns[clash]?.header}
      </span>
    )
  const attribute = object.attributes.find(({ slug }) => slug === slugOf(target))
  if (attribute?.type === 'member') return <MemberNote />
  if (attribute?.type === 'reference') return <ReferenceNote {...row} objectId={objectOf(attribute) ?? ''} />
  return (
    <Stack gap={4}>
      <Sureness {...row} />
      {attribute && partOf(target) === undefined && <ValueWarning {...row} attribute={attribute} />}
    </Stack>
  )
}
