// The list of all shortcuts.
import { Kbd, Modal } from '@mantine/core'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { keyName, SHORTCUTS } from '../shortcuts.ts'
import classes from './search.module.css'

/** Render it while it is open. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title="Shortcuts" size={640}>
      <div className={classes.sections}>
        {SHORTCUTS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={classes.section}>{title}</h3>
            <dl className={classes.shortcuts}>
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
    </Modal>
  )
}
