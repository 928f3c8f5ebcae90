// How the cells of a column find the records they refer to.
import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { namingAttribute } from '../../../../contract/record-name.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import classes from './import.module.css'
import { matchable } from './mapping.ts'

export function ReferenceNote({ objectId }: { objectId: string }) {
  const { data: object } = useQuery(objectQuery(useOrg(), objectId))
  if (!object) return null
  const naming = namingAttribute(object.attributes)
  const uniques = matchable(object.attributes).filter(({ type }) => type === 'text' || type === 'email')
  const names = [naming, ...uniques].flatMap((one) => (one ? [one.name.toLowerCase()] : []))
  const ways = new Intl.ListFormat('en', { type: 'disjunction' }).format([...new Set(names), 'ID'])
  return (
    <span className={classes.note}>
      <Link2 size={14} aria-hidden />
      Finds {object.pluralName.toLowerCase()} by {ways}; a row fails unless exactly one fits
    </span>
  )
}
