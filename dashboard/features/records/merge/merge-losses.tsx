// What stays as it is when a merge is undone: each value with the reason, and its current value if it was changed since.
import { Button, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import type { UnmergedRecord } from '../../../../contract/merge.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { RestoreLoss } from '../../../../contract/trash.ts'
import { attributeWords } from '../../../shared/api/attribute-words.ts'
import { type Attribute, objectQuery } from '../../../shared/api/objects.ts'
import { recordQuery } from '../../../shared/api/records.ts'
import { UndoneValue } from '../../../shared/undo/undo-conflict.tsx'
import { useCloseElsewhere } from '../../../shared/undo/use-close-elsewhere.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useRecordName } from '../../../shared/values/record-chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** The number of values that are listed. */
const SHOWN = 100

interface LossesProps {
  object: ObjectWithAttributes
  losses: readonly RestoreLoss[]
}

function Current({
  object,
  recordId,
  attribute,
}: {
  object: string
  recordId: string
  attribute: Attribute
}) {
  const { data } = useQuery(recordQuery(useOrg(), object, recordId))
  if (!data) return null
  return <UndoneValue name="Now" attribute={attribute} value={data.body.data[attribute.slug]} />
}

function Loss({ object, loss }: { object: ObjectWithAttributes; loss: RestoreLoss }) {
  const { code, recordId, attributeSlug, activityId } = loss
  const attribute = object.attributes.find(({ slug }) => slug === attributeSlug)
  const hasValue = code === 'value_changed' && activityId === null
  return (
    <List.Item>
      {attributeWords(loss, object.attributes)}
      {hasValue && attribute && <Current object={object.slug} recordId={recordId} attribute={attribute} />}
    </List.Item>
  )
}

/** The losses of one record. */
export function LossList({ object, losses }: LossesProps) {
  return (
    <List>
      {losses.map((loss) => (
        <Loss
          key={`${loss.code} ${loss.recordId} ${loss.attributeSlug} ${loss.otherRecordId ?? loss.activityId}`}
          object={object}
          loss={loss}
        />
      ))}
    </List>
  )
}

function RecordLosses({ recordId, ...props }: LossesProps & { recordId: string }) {
  const name = useRecordName({ objectId: props.object.id, recordId }) ?? '…'
  return (
    <section aria-label={name}>
      <strong>{name}</strong>
      <LossList {...props} />
    </section>
  )
}

interface DialogProps extends Pick<UnmergedRecord, 'losses' | 'lossCount'> {
  org: string
  /** The object's slug. */
  object: string
  onClose(): void
}

export function MergeLossesDialog({ org, object: slug, losses, lossCount, onClose }: DialogProps) {
  const { data: object } = useQuery(objectQuery(org, slug))
  useCloseElsewhere(org, onClose)
  const shown = losses.slice(0, SHOWN)
  return (
    <Dialog title={`${counted(lossCount, 'value was', 'values were')} not restored`} onClose={onClose}>
      <Stack gap="md">
        <Text>Everything else is as before the merge.</Text>
        {object &&
          [...Map.groupBy(shown, ({ recordId }) => recordId)].map(([recordId, ofRecord]) => (
            <RecordLosses key={recordId} object={object} recordId={recordId} losses={ofRecord} />
          ))}
        {lossCount > shown.length && (
          <Text c="dimmed">
            {counted(lossCount - shown.length, 'more value is', 'more values are')} not listed.
          </Text>
        )}
        <Button variant="default" onClick={onClose} data-autofocus>
          Close
        </Button>
      </Stack>
    </Dialog>
  )
}
