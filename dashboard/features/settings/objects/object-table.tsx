import { useSuspenseQuery } from '@tanstack/react-query'
import { formatCount } from '../../../../contract/counted.ts'
import { objectIcon } from '../../../shared/icons.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { CodeLine, TitleLink } from '../../../ui/data-table/cells.tsx'
import type { Columns } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { allObjectsQuery, type ObjectOverview } from '../api/object-administration.ts'
import { settingsPaths } from '../paths.ts'

function Name({ object: { slug, pluralName } }: { object: ObjectOverview }) {
  const org = useOrg()
  const Icon = objectIcon(slug)
  return (
    <div className="row shrink gap-8">
      <Icon className="muted" size={16} aria-hidden />
      <div className="shrink">
        <TitleLink to={settingsPaths.settingsObject(org, slug)}>{pluralName}</TitleLink>
        <CodeLine>{slug}</CodeLine>
      </div>
    </div>
  )
}

const COLUMNS: Columns<ObjectOverview> = [
  { title: 'Name and slug', kind: 'name', cell: (object) => <Name object={object} /> },
  {
    title: 'Kind',
    isFit: true,
    onlyWide: true,
    cell: ({ type }) => (type === 'standard' ? 'Standard' : 'Custom'),
  },
  { title: 'State', isFit: true, cell: ({ isActive }) => (isActive ? 'Active' : 'Inactive') },
  {
    title: 'Attributes',
    kind: 'number',
    isFit: true,
    onlyWide: true,
    cell: ({ attributeCount }) => formatCount(attributeCount),
  },
  {
    title: 'Records',
    kind: 'number',
    isFit: true,
    cell: ({ recordCount }) => (recordCount === null ? 'Many' : formatCount(recordCount)),
  },
]

export function ObjectTable() {
  const { data: objects } = useSuspenseQuery(allObjectsQuery(useOrg()))
  return (
    <DataTable
      columns={COLUMNS}
      rows={objects}
      renderRow={({ isActive }, cells) => <tr data-muted={!isActive || undefined}>{cells}</tr>}
    />
  )
}
