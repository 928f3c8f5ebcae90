// The records to which one reference attribute points, such as the company of a deal, as cards.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../../../contract/counted.ts'
import { recordQuery } from '../../../shared/api/records.ts'
import { objectIcon } from '../../../shared/icons.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import classes from './record.module.css'
import type { Reference } from './referrers.ts'
import { RecordCard } from './related-record.tsx'

/** Renders nothing for a record that has been deleted. */
function ReferencedRecord({ target, id }: Pick<Reference, 'target'> & { id: string }) {
  const { data, isPending } = useQuery(recordQuery(useOrg(), target.slug, id))
  if (isPending) return <Skeleton component="li" height={48} my={2} aria-label="Loading a record" />
  return data ? <RecordCard object={target} record={data.body} /> : null
}

export function ReferenceGroup({ reference }: { reference: Reference }) {
  const { attribute, target, ids, more } = reference
  const Icon = objectIcon(target.slug)
  return (
    <section className={classes.group} aria-label={attribute.name}>
      <header className="group-head">
        <Icon size={14} aria-hidden />
        <h2 className="truncate" title={attribute.name}>
          {attribute.name}
        </h2>
      </header>
      <ul>
        {ids.map((id) => (
          <ReferencedRecord key={id} target={target} id={id} />
        ))}
      </ul>
      {more > 0 && <p className="muted small">And {formatCount(more)} more, see the details</p>}
    </section>
  )
}
