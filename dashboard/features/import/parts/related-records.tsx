// Records of other objects that an import creates because its cells name them.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import type { RelatedRecords as Related } from '../../../../contract/imports.ts'
import { listFormat } from '../../../../contract/language.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { counted, formatCount } from './file-facts.ts'

/** `Acme, Globex and 3 more` */
function namesText({ names, created }: Related): string {
  const more = created - names.length
  const all = more > 0 ? [...names, `${formatCount(more)} more`] : names
  return listFormat({ type: 'conjunction' }).format(all)
}

function One({ one, verb }: { one: Related; verb: string }) {
  const org = useOrg()
  const { data: object } = useQuery(objectQuery(org, one.objectId))
  if (!object) return null
  const { singularName, pluralName, slug } = object
  return (
    <p className="row gap-6 small">
      <Link2 className="muted" size={14} aria-hidden />
      <span className="breakable">
        {verb}{' '}
        <Anchor component={Link} to={recordPaths.object(org, slug)} underline="always">
          {counted(one.created, singularName.toLowerCase(), pluralName.toLowerCase())}
        </Anchor>
        {one.names.length > 0 && `: ${namesText(one)}`}
      </span>
    </p>
  )
}

/** @param verb `Also creates` */
export function RelatedRecords({ related, verb }: { related: readonly Related[]; verb: string }) {
  if (related.length === 0) return null
  return (
    <div>
      {related.map((one) => (
        <One key={one.objectId} one={one} verb={verb} />
      ))}
    </div>
  )
}
