// Cells that the lists of reports and of dashboards share.
import { Link } from '@tanstack/react-router'
import dataTable from '../../../../ui/data-table/data-table.module.css'

interface NameCellProps {
  to: string
  name: string
  description: string
}

export function NameCell({ to, name, description }: NameCellProps) {
  return (
    <th scope="row">
      <Link to={to} className={`${dataTable.titleLink} ${dataTable.cut}`} title={name}>
        {name}
      </Link>
      {description && (
        <span className={`${dataTable.cut} ${dataTable.second}`} title={description}>
          {description}
        </span>
      )}
    </th>
  )
}

export function CreatorCell({ creator: { name, email } }: { creator: { name: string; email: string } }) {
  return (
    <td className={dataTable.wide} style={{ width: 180, maxWidth: 180 }}>
      <span className={dataTable.cut} title={email}>
        {name}
      </span>
    </td>
  )
}
