// Each column of the file beside what it fills.
import { Table } from '@mantine/core'
import { CircleAlert, CircleCheck, CircleHelp, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useOrganization } from '../../../shared/use-organization.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'
import type { Import } from '../api.ts'
import classes from './import.module.css'
import { clashOf, type Draft, NOTHING, slugOf, sureness, type Target, withTarget } from './mapping.ts'
import { NewAttribute } from './new-attribute.tsx'
import { ReferenceNote } from './reference-note.tsx'
import { NEW_ATTRIBUTE, optionsOf, TargetSelect } from './target-select.tsx'
import { useImportPage } from './use-import-page.ts'

const SURENESS: Readonly<Record<'sure' | 'likely' | 'unsure', readonly [LucideIcon, string]>> = {
  sure: [CircleCheck, 'Matched by name'],
  likely: [CircleCheck, 'Likely match'],
  unsure: [CircleHelp, 'Matched by content, please check'],
}

interface RowProps {
  file: Import
  draft: Draft
  index: number
}

function Note({ file, draft, index }: RowProps) {
  const { object } = useImportPage()
  const target = draft.targets[index] ?? NOTHING
  const clash = clashOf(draft, index)
  if (clash !== undefined)
    return (
      <span className={classes.note} data-tone="bad">
        <CircleAlert size={14} aria-hidden />
        Also filled by {file.columns[clash]?.header}
      </span>
    )
  const attribute = object.attributes.find(({ slug }) => slug === slugOf(target))
  if (attribute?.type === 'reference') return <ReferenceNote objectId={objectOf(attribute) ?? ''} />
  const sure = sureness(file, index, target)
  if (sure === undefined) return null
  const [Icon, text] = SURENESS[sure]
  return (
    <span className={classes.note} data-tone={sure}>
      <Icon size={14} aria-hidden />
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
      <Table.Th scope="row" className={classes.column}>
        <span className={classes.header} title={name}>
          {name}
        </span>
        <span className={classes.samples} title={samples.join('\n')}>
          {samples.length === 0 ? 'no values in the first rows' : samples.slice(0, 4).join(' · ')}
        </span>
      </Table.Th>
      <Table.Td className={classes.target}>
        <TargetSelect
          label={`Attribute for ${name}`}
          options={options}
          target={draft.targets[index] ?? NOTHING}
          hasError={clashOf(draft, index) !== undefined}
          onChange={onChoose}
        />
      </Table.Td>
      <Table.Td className={classes.noteCell}>
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
      <Table.Tr>
        <Table.Th>Column of the file</Table.Th>
        <Table.Th>Fills</Table.Th>
        <Table.Th>
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
      <Table className={classes.mapping} aria-label="Columns of the file and what they fill">
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
