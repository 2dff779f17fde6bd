// A clock for pages in hidden tabs, whose own timers browsers slow down to one a minute; those of workers they do not.
setInterval(() => postMessage(null), 1000);
