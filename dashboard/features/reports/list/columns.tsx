// Columns that the lists of reports and of dashboards share.
import { Line, SecondLine, TitleLink } from '../../../ui/data-table/cells.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'

interface Listed {
  id: string
  name: string
  description: string
  creator: { name: string; email: string }
}

export const nameColumn = (title: string, pathOf: (id: string) => string): Column<Listed> => ({
  title,
  kind: 'name',
  cell: ({ id, name, description }) => (
    <>
      <TitleLink to={pathOf(id)}>{name}</TitleLink>
      {description && <SecondLine>{description}</SecondLine>}
    </>
  ),
})

export const CREATOR: Column<Listed> = {
  title: 'Created by',
  onlyWide: true,
  cellProps: () => ({ style: { width: 180, maxWidth: 180 } }),
  cell: ({ creator: { name, email } }) => <Line title={email}>{name}</Line>,
}
