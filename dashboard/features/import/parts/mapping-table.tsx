// Each column of the file beside what it fills.
import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleHelp, Link2, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { TYPE_CONTRACTS } from '../../../../contract/attribute-types.ts'
import { listFormat } from '../../../../contract/language.ts'
import { namingAttribute } from '../../../../contract/record-name.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'
import type { Import } from '../api.ts'
import classes from './import.module.css'
import {
  clashOf,
  type Draft,
  matchable,
  NOTHING,
  slugOf,
  sureness,
  type Target,
  withTarget,
} from './mapping.ts'
import { NewAttribute } from './new-attribute.tsx'
import { NEW_ATTRIBUTE, optionsOf, TargetSelect } from './target-select.tsx'
import { useImportPage } from './use-import-page.ts'

const SURENESS: Readonly<Record<'sure' | 'likely' | 'unsure', readonly [LucideIcon, string, string]>> = {
  sure: [CircleCheck, 'Matched by name', 'good'],
  likely: [CircleCheck, 'Likely match', 'muted'],
  unsure: [CircleHelp, 'Matched by content, please check', 'warning'],
}

interface RowProps {
  file: Import
  draft: Draft
  index: number
}

/** How the cells of a column find the records they refer to. */
const MemberNote = () => (
  <span className="inline gap-6 muted tiny">
    <Link2 className="muted" size={14} aria-hidden />
    Finds members by email or user ID
  </span>
)

function ReferenceNote({ objectId }: { objectId: string }) {
  const { data: object } = useQuery(objectQuery(useOrg(), objectId))
  if (!object) return null
  const naming = namingAttribute(object.attributes)
  const uniques = matchable(object.attributes).filter(({ type }) => TYPE_CONTRACTS[type].identifies)
  const names = [naming, ...uniques].flatMap((one) => (one ? [one.name.toLowerCase()] : []))
  const ways = listFormat({ type: 'disjunction' }).format([...new Set(names), 'ID'])
  return (
    <span className="inline gap-6 muted tiny">
      <Link2 className="muted" size={14} aria-hidden />
      Finds {object.pluralName.toLowerCase()} by {ways}; a row fails unless exactly one fits
    </span>
  )
}

function Note({ file, draft, index }: RowProps) {
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
  if (attribute?.type === 'reference') return <ReferenceNote objectId={objectOf(attribute) ?? ''} />
  const sure = sureness(file, index, target)
  if (sure === undefined) return null
  const [Icon, text, tone] = SURENESS[sure]
  return (
    <span className="inline gap-6 muted tiny">
      <Icon className={tone} size={14} aria-hidden />
      {text}
    </span>
  )
}

function Row({
  options,
  onChoose,
  ...row
}: RowProps & { options: ReturnType<typeof optionsOf>; onChoose(target: Target): void }) {
  const { file, draft, index } = row
  const { header = '', samples = [] } = file.columns[index] ?? {}
  const name = header.trim() === '' ? `Column ${index + 1}` : header
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <span className="block truncate medium" title={name}>
          {name}
        </span>
        <span className="block truncate muted tiny" title={samples.join('\n')}>
          {samples.length === 0 ? 'no values in the first rows' : samples.slice(0, 4).join(' · ')}
        </span>
      </Table.Th>
      <Table.Td>
        <TargetSelect
          label={`Attribute for ${name}`}
          options={options}
          target={draft.targets[index] ?? NOTHING}
          hasError={clashOf(draft, index) !== undefined}
          onChange={onChoose}
        />
      </Table.Td>
      <Table.Td>
        <Note {...row} />
      </Table.Td>
    </Table.Tr>
  )
}

interface MappingTableProps {
  file: Import
  draft: Draft
  onChange(draft: Draft): void
}

function Head() {
  return (
    <Table.Thead>
      <Table.Tr className="muted">
        <Table.Th>Column of the file</Table.Th>
        <Table.Th w={280}>Fills</Table.Th>
        <Table.Th w={240}>
          <span className="visually-hidden">Note</span>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

export function MappingTable({ file, draft, onChange }: MappingTableProps) {
  const { object } = useImportPage()
  const { may } = useOrganization()
  const [making, setMaking] = useState<number>()
  const options = optionsOf(object, may('admin'))
  const choose = (index: number) => (target: Target) =>
    target === NEW_ATTRIBUTE ? setMaking(index) : onChange(withTarget(draft, index, target))
  return (
    <>
      <Table
        layout="fixed"
        className={`${classes.mapping} ${classes.stacked}`}
        aria-label="Columns of the file and what they fill"
      >
        <Head />
        <Table.Tbody>
          {file.columns.map(({ index }) => (
            <Row
              key={index}
              file={file}
              draft={draft}
              index={index}
              options={options}
              onChoose={choose(index)}
            />
          ))}
        </Table.Tbody>
      </Table>
      {making !== undefined && (
        <NewAttribute
          file={file}
          index={making}
          onMade={(slug) => onChange(withTarget(draft, making, slug))}
          onClose={() => setMaking(undefined)}
        />
      )}
    </>
  )
}
