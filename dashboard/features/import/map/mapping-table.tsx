// The columns of the file with their targets.
import { Table } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { type Attribute, objectQuery } from '../../../shared/api/objects.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'
import type { Import } from '../api.ts'
import classes from '../page/import.module.css'
import { useImportPage } from '../page/use-import-page.ts'
import { ColumnNote, type ColumnProps } from './column-note.tsx'
import { clashOf, type Draft, NOTHING, type Target, withTarget } from './mapping.ts'
import { NewAttribute } from './new-attribute.tsx'
import { NEW_ATTRIBUTE, optionsOf, type Referred, TargetSelect } from './target-select.tsx'

function Row({
  options,
  onChoose,
  ...row
}: ColumnProps & { options: ReturnType<typeof optionsOf>; onChoose(target: Target): void }) {
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
        <ColumnNote {...row} />
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
        <Table.Th w={280}>Imported as</Table.Th>
        <Table.Th w={240}>
          <span className="visually-hidden">Note</span>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

/** Attributes of the objects that references point to. Until they are loaded, only the references are offered. */
function useReferred(attributes: readonly Attribute[]): Referred {
  const org = useOrg()
  const ids = new Set(attributes.flatMap((attribute) => objectOf(attribute) ?? []))
  const objects = useQueries({ queries: [...ids].map((id) => objectQuery(org, id)) })
  return new Map(objects.flatMap(({ data }) => (data ? [[data.id, data.attributes] as const] : [])))
}

export function MappingTable({ file, draft, onChange }: MappingTableProps) {
  const { object } = useImportPage()
  const { may } = useOrganization()
  const [making, setMaking] = useState<number>()
  const options = optionsOf(object, { mayAdd: may('admin'), referred: useReferred(object.attributes) })
  const choose = (index: number) => (target: Target) =>
    target === NEW_ATTRIBUTE ? setMaking(index) : onChange(withTarget(draft, index, target, object))
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
              onChange={onChange}
              onChoose={choose(index)}
            />
          ))}
        </Table.Tbody>
      </Table>
      {making !== undefined && (
        <NewAttribute
          file={file}
          index={making}
          onMade={(slug) => onChange(withTarget(draft, making, slug, object))}
          onClose={() => setMaking(undefined)}
        />
      )}
    </>
  )
}
