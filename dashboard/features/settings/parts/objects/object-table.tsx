import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../../../../contract/counted.ts'
import { objectIcon } from '../../../../shared/icons.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import classes from '../../../../ui/data-table.module.css'
import { allObjectsQuery, type ObjectOverview } from '../../api/object-administration.ts'
import { settingsPaths } from '../../paths.ts'

function ObjectRow({ object }: { object: ObjectOverview }) {
  const org = useOrg()
  const Icon = objectIcon(object.slug)
  return (
    <tr data-muted={!object.isActive || undefined}>
      <th scope="row">
        <div className="row shrink gap-8">
          <Icon className="muted" size={16} aria-hidden />
          <div className="shrink">
            <Link
              to={settingsPaths.settingsObject(org, object.slug)}
              className={`${classes.cut} ${classes.titleLink}`}
              title={object.pluralName}
            >
              {object.pluralName}
            </Link>
            <code className={`${classes.cut} ${classes.second} ${classes.mono}`}>{object.slug}</code>
          </div>
        </div>
      </th>
      <td className={`${classes.wide} ${classes.fit}`}>
        {object.type === 'standard' ? 'Standard' : 'Custom'}
      </td>
      <td className={classes.fit}>{object.isActive ? 'Active' : 'Inactive'}</td>
      <td data-numeric className={`${classes.wide} ${classes.fit}`}>
        {formatCount(object.attributeCount)}
      </td>
      <td data-numeric className={classes.fit}>
        {object.recordCount === null ? 'Many' : formatCount(object.recordCount)}
      </td>
    </tr>
  )
}

export function ObjectTable() {
  const { data: objects } = useSuspenseQuery(allObjectsQuery(useOrg()))
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Name and slug</th>
          <th scope="col" className={classes.wide}>
            Kind
          </th>
          <th scope="col">State</th>
          <th scope="col" data-numeric className={classes.wide}>
            Attributes
          </th>
          <th scope="col" data-numeric>
            Records
          </th>
        </tr>
      </thead>
      <tbody>
        {objects.map((object) => (
          <ObjectRow key={object.id} object={object} />
        ))}
      </tbody>
    </table>
  )
}
