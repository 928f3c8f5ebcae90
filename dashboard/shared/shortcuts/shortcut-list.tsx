// The list of all shortcuts.
import { Kbd } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import classes from './shortcut-list.module.css'
import { keyName, type Section } from './shortcuts.ts'

/** Render it while it is open. */
export function Shortcuts({ sections, onClose }: { sections: readonly Section[]; onClose(): void }) {
  useReturnFocus()
  return (
    <Dialog onClose={onClose} title="Shortcuts" size={640}>
      <div className={classes.sections}>
        {sections.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={classes.section}>{title}</h3>
            <dl className="flush">
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className={classes.shortcut}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} size="xs">
                        {keyName(key)}
                      </Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
