function f(...a){return a.length} function g({length:n}){return n}
var s='a,b'.split(','),x={length:'ab'.length},y=Array.from({length:3}),z=new Array(2);
for(var i=0;i<s.length;i++){x.length+=i} for(var j in x){f(...s)} s.length=1;
location.replace('/'+f(1,...s)+g(x)+y.join('-')+z.fill(0)+Array.prototype.join.call(x)+'abc'.at(-1));