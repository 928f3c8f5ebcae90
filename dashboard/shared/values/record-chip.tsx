// A reference: the name of the target record, as a link that opens it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { objectsQuery } from '../api/objects.ts'
import { missingName, recordNameQuery } from '../api/record-names.ts'
import { objectIcon } from '../icons.ts'
import { recordPaths } from '../paths.ts'
import { PictureOr } from '../records/record-picture.tsx'
import { useOrg } from '../use-organization.ts'

interface RecordChipProps {
  objectId: string
  recordId: string
}

/** undefined while it is loading. */
export function useRecordName(ref: RecordChipProps): string | undefined {
  const { data } = useQuery(recordNameQuery(useOrg(), ref))
  if (data === undefined) return undefined
  return data ?? missingName(ref.objectId)
}

/** @param tabIndex -1 inside an element that handles keys itself */
export function RecordChip({ objectId, recordId, tabIndex }: RecordChipProps & { tabIndex?: number }) {
  const org = useOrg()
  const name = useRecordName({ objectId, recordId })
  const { data: objects } = useQuery(objectsQuery(org))
  const object = objects?.find(({ id }) => id === objectId)
  const Icon = objectIcon(object?.slug ?? '')
  return (
    <Link
      to={recordPaths.record(org, object?.slug ?? objectId, recordId)}
      className="tag small plain hoverable"
      tabIndex={tabIndex}
    >
      <PictureOr object={object?.slug ?? ''} recordId={recordId} name={name ?? ''}>
        <Icon size={12} aria-hidden />
      </PictureOr>
      <span className="truncate">{name ?? '…'}</span>
    </Link>
  )
}
