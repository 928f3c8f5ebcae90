// What went in or came out, as JSON.
import { HISTORY_BYTES_MAX } from '../../../../../contract/workflow-states.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import classes from './run.module.css'
import { truncatedText } from './step-records.ts'

const isNothing = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

export function JsonPart({ title, value }: { title: string; value: unknown }) {
  const cut = truncatedText(value)
  const text = cut ?? (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return (
    <section className={classes.part} aria-label={title}>
      <div className={classes.partHead}>
        <h3 className="muted tiny medium flush">{title}</h3>
        {!isNothing(value) && <CopyButton value={text} label={`Copy ${title.toLowerCase()}`} />}
      </div>
      {isNothing(value) ? (
        <p className={classes.muted}>Nothing</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={classes.code} tabIndex={0}>
          {text}
        </pre>
      )}
      {cut !== undefined && (
        <p className={classes.muted}>Only the first {HISTORY_BYTES_MAX / 1024} KiB are kept.</p>
      )}
    </section>
  )
}
