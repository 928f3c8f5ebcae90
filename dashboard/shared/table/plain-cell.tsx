import classes from './grid.module.css'

/** A text that is cut where the cell ends, whole on hover. */
export const PlainCell = ({ text, exact }: { text: string; exact?: string }) => (
  <span className={classes.text} title={exact ?? text}>
    {text}
  </span>
)
