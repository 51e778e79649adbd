var o={length:2,0:'/a',1:'/b'},n='abc'.indexOf('c'),[p,q='x']=[1,2],{length:l,...r}=o;
for(var k in o){location.href='/l?'+k} for(var v of [1,...'ab']){p+=v}
document.write([o.length,n,'abc'.slice(-2,n),'abc'.substr(1,1),'a'.repeat(3),'7'.padStart(4,'0'),[1,2,3].splice(1,1).join()]);
location='/l?'+'abc'.charCodeAt(1)+String.fromCharCode(65,66)+'a-b'.split('-',1)+[3,4].slice(1)+parseInt('12',10);