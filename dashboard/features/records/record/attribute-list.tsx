// The attributes of a record with their values, edited in place.
import { Box } from '@mantine/core'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { keyAttributes } from '../../../../contract/key-attributes.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute } from '../../../../contract/record-name.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { InlineValue } from '../../../shared/records/inline-value.tsx'
import { isEmpty } from '../../../shared/values/format.ts'
import { TYPES } from '../../../types/types.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import classes from './attribute-list.module.css'

interface AttributeListProps {
  object: ObjectWithAttributes
  record: CrmRecord
  readOnly?: boolean
  /** Omits the naming attribute, for pages with the name as title. */
  withoutName?: boolean
}

const copied = ({ type }: Attribute, value: unknown): string | undefined =>
  TYPES[type].hasCopyButton && typeof value === 'string' ? value : undefined

function Row({ attribute, object, record, readOnly = false }: AttributeListProps & { attribute: Attribute }) {
  const Icon = TYPES[attribute.type].icon
  const text = copied(attribute, record.data[attribute.slug])
  return (
    <div className={classes.row}>
      <Box component="dt" className="row shrink gap-6 muted" mih={28}>
        <Icon size={14} aria-hidden />
        <span className="breakable">{attribute.name}</span>
      </Box>
      <dd className={classes.value}>
        <div className="fill">
          <InlineValue object={object.slug} attribute={attribute} record={record} isReadOnly={readOnly} />
        </div>
        {text && (
          <span className={`revealed ${classes.copy}`}>
            <CopyButton value={text} label={`Copy ${attribute.name.toLowerCase()}`} />
          </span>
        )}
      </dd>
    </div>
  )
}

/**
 * Shows key attributes, attributes with a value, and attributes that had one when the record was opened, so that no
 * attribute disappears during editing.
 */
function useShown({ object, record, withoutName }: AttributeListProps) {
  const name = withoutName ? namingAttribute(object.attributes) : undefined
  const all = object.attributes.filter(({ id }) => id !== name?.id)
  const isFilled = ({ slug }: Attribute) => !isEmpty(record.data[slug])
  const [seen] = useState(() => new Set(all.filter(isFilled).map(({ id }) => id)))
  // An empty record shows all attributes, to be filled in.
  const [isUnfolded, setUnfolded] = useState(seen.size === 0)
  const key = new Set(keyAttributes(all))
  const filled = all.filter(
    (attribute) => isFilled(attribute) || seen.has(attribute.id) || key.has(attribute),
  )
  const isFoldable = filled.length > 0 && filled.length < all.length
  const shown = isFoldable && !isUnfolded ? filled : all
  return { shown, hidden: isFoldable ? all.length - filled.length : 0, isUnfolded, setUnfolded }
}

function RecordTimestamps({ record }: { record: CrmRecord }) {
  return (
    <dl className={classes.times}>
      <div className={classes.row}>
        <dt>Created</dt>
        <dd>
          <TimeAgo value={record.createdAt} />
        </dd>
      </div>
      <div className={classes.row}>
        <dt>Updated</dt>
        <dd>
          <TimeAgo value={record.updatedAt} />
        </dd>
      </div>
    </dl>
  )
}

/** Use the record's id as the React key. @see AttributeListProps */
export function AttributeList(props: AttributeListProps) {
  const { shown, hidden, isUnfolded, setUnfolded } = useShown(props)
  const Chevron = isUnfolded ? ChevronUp : ChevronDown
  return (
    <div>
      <dl className="stack gap-2 small">
        {shown.map((attribute) => (
          <Row key={attribute.id} {...props} attribute={attribute} />
        ))}
      </dl>
      {hidden > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <Chevron size={14} aria-hidden />
          {isUnfolded ? 'Hide empty attributes' : `Show ${counted(hidden, 'empty attribute')}`}
        </button>
      )}
      <RecordTimestamps record={props.record} />
    </div>
  )
}
