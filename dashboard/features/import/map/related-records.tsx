// Records of other objects that an import creates because its cells name them.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { counted, formatCount } from '../../../../contract/counted.ts'
import type { RelatedRecords as Related } from '../../../../contract/imports.ts'
import { listFormat } from '../../../../contract/language.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'

/** `Acme, Globex and 3 more` */
function namesText({ names, created }: Related): string {
  const more = created - names.length
  const all = more > 0 ? [...names, `${formatCount(more)} more`] : names
  return listFormat({ type: 'conjunction' }).format(all)
}

function One({ one, isDone }: { one: Related; isDone: boolean }) {
  const org = useOrg()
  const { data: object } = useQuery(objectQuery(org, one.objectId))
  if (!object) return null
  const { singularName, pluralName, slug } = object
  const many = counted(one.created, singularName.toLowerCase(), pluralName.toLowerCase())
  return (
    <p className="row gap-6 small">
      <Link2 className="muted" size={14} aria-hidden />
      <span className="breakable">
        {isDone ? 'Also created ' : 'Also creates '}
        {isDone ? (
          <Anchor component={Link} to={recordPaths.object(org, slug)} underline="always">
            {many}
          </Anchor>
        ) : (
          many
        )}
        {one.names.length > 0 && `: ${namesText(one)}`}
      </span>
    </p>
  )
}

/** @param isDone whether the records have been created */
export function RelatedRecords({
  related,
  isDone = false,
}: {
  related: readonly Related[]
  isDone?: boolean
}) {
  if (related.length === 0) return null
  return (
    <div>
      {related.map((one) => (
        <One key={one.objectId} one={one} isDone={isDone} />
      ))}
    </div>
  )
}
